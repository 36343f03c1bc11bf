import type { AccountId } from '../../contract/accounts.ts';
import type { Limits } from '../limits/index.ts';
import type { Db } from '../postgres/index.ts';
import type { Queue } from '../queue/index.ts';
import type { CardProcessor } from '../wallet/index.ts';
import type { Passwords } from './password.ts';

export interface AccountsDeps {
  db: Db;
  queue: Pick<Queue, 'send'>;
  limits: Limits;
  passwords: Passwords;
  /** 32 bytes: what the API secrets are sealed with. */
  secretKey: Buffer;
  webhooks?: WebhookKeeper;
  /** Where the cards of an account that is closed are forgotten. */
  processor: Pick<CardProcessor, 'name'>;
}

/** Whoever sends events to the webhook of the settings. */
export interface WebhookKeeper {
  /** Refuses an address that events may not go to. */
  check: (url: string) => Promise<void>;
  /** In the transaction that saves it. */
  changed: (trx: Db, accountId: AccountId, url: string) => Promise<void>;
}

/** What a finished sign-in answers. */
export interface SignedIn {
  token: string;
  accountId: AccountId;
}
