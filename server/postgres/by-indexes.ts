import { type Db, steadyOf } from './database.ts';

/**
 * Does the work in a transaction on a connection that reads tables by their indexes only. A prepared statement needs
 * it: its plan is made once, maybe while a table is still empty, and reading a table whole is the best plan just then.
 */
export const byIndexes = <T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> =>
  steadyOf(db).transaction().execute(work);
