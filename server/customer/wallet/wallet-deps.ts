import type { RawBuilder } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Language } from '../../../contract/ground/constants.ts';
import type { MailTaskDeps } from '../../ground/mail/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { Queue } from '../../ground/queue/index.ts';
import type { CardProcessor } from './card-processor.ts';

/** What the accounts room knows about a person. It is passed in, because that room depends on this one. */
export interface BillingContact {
  email: string;
  language: Language;
  /** Whether mails beyond those for signing in are wanted. */
  receiveEmail: boolean;
  timeZone: string;
  active: boolean;
}

export interface WalletDeps {
  db: Db;
  queue: Pick<Queue, 'send'>;
  processor: CardProcessor;
  /** A decimal, such as 7.8. */
  hkdPerUsd: string;
  contactOf: (accountId: AccountId) => Promise<BillingContact | undefined>;
  log: {
    warn: (facts: object, message: string) => void;
    error: (facts: object, message: string) => void;
  };
}

/** The query `select account_id, capture_id from …`. */
export type PaidQuery = RawBuilder<unknown>;

export interface WalletTaskDeps extends WalletDeps, Pick<MailTaskDeps, 'mailer' | 'publicUrl'> {
  /** All that was paid by a capture. It is handed in, because the rooms that are paid stand on this one. */
  paid: PaidQuery;
}

/** An open transaction and the queue: tasks that a movement of money causes are enqueued within it. */
export type SpendDeps = Pick<WalletDeps, 'db' | 'queue'>;
