import type { AccountId } from '../../contract/accounts.ts';
import type { Limits } from '../limits/index.ts';
import type { Db } from '../postgres/index.ts';
import type { Queue } from '../queue/index.ts';
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
