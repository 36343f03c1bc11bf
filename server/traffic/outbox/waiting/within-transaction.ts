import type { Db } from '../../../ground/postgres/index.ts';

/** In the transaction that is open, or in one of its own: what is read must not change before it is written. */
export const withinTransaction = <T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);
