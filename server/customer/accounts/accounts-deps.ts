import type { AccountId, Registration } from '../../../contract/customer/accounts.ts';
import type { Limits } from '../../ground/limits/index.ts';
import type { Log } from '../../ground/log/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { Queue } from '../../ground/queue/index.ts';
import type { CardProcessor } from '../wallet/index.ts';
import type { ProfileDeps } from './read-profile.ts';
import type { Passwords } from './sessions/password.ts';

export interface AccountsDeps extends ProfileDeps {
  queue: Pick<Queue, 'send'>;
  limits: Limits;
  passwords: Passwords;
  log: Pick<Log, 'warn'>;
  /** 32 bytes: the key that encrypts API secrets. */
  secretKey: Buffer;
  webhooks?: WebhookKeeper;
  /** Deletes the devices of an account, within the transaction that closes it. */
  closeDevices?: (trx: Db, accountId: AccountId) => Promise<void>;
  /** Removes the cards of an account that is closed. */
  processor: Pick<CardProcessor, 'name'>;
  registration: Registration;
}

/** The room that sends events to the webhook of the settings. */
interface WebhookKeeper {
  /** Refuses an address that must not get events. */
  check: (url: string) => Promise<void>;
  /** Called in the transaction that saves the address. */
  changed: (trx: Db, accountId: AccountId, url: string) => Promise<void>;
}

/** The reply to a completed sign-in. */
export interface SignedIn {
  token: string;
  accountId: AccountId;
}
