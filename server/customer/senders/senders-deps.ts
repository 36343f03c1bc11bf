import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Limits } from '../../ground/limits/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { Queue } from '../../ground/queue/index.ts';
import type { ResolveTxt } from './resolve-txt.ts';

export interface SendersDeps {
  db: Db;
  queue: Pick<Queue, 'send'>;
  limits: Limits;
  /** Hashes codes and makes the records of domains. */
  secretKey: Buffer;
  resolveTxt: ResolveTxt;
  /** Whether the account is there and open; nobody can close it before the transaction ends. */
  holdOpen: (trx: Db, accountId: AccountId) => Promise<boolean>;
}
