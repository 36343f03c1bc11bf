import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Language } from '../../../contract/ground/constants.ts';
import type { Limits } from '../../ground/limits/index.ts';
import type { MailTaskDeps } from '../../ground/mail/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { Queue } from '../../ground/queue/index.ts';
import type { Receivers } from './receivers.ts';

export interface WebhooksDeps {
  db: Db;
  queue: Pick<Queue, 'send'>;
  /** 32 bytes: the key that encrypts signing secrets. */
  secretKey: Buffer;
  receivers: Receivers;
}

export interface WebhookRouteDeps extends WebhooksDeps {
  limits: Pick<Limits, 'consume'>;
  /** For dates, which are days in the account's time zone. */
  contactOf: (accountId: AccountId) => Promise<EndpointOwner | undefined>;
}

export interface EndpointOwner {
  email: string;
  language: Language;
  receiveEmail: boolean;
  timeZone: string;
}

export interface WebhookTaskDeps extends MailTaskDeps {
  db: Db;
  contactOf: (accountId: AccountId) => Promise<EndpointOwner | undefined>;
}
