import { type Db, preparedPool } from './database.ts';

/**
 * Runs the work in a transaction on a connection that reads tables only through their indexes. A prepared statement
 * needs it: it is planned once, maybe while a table is still empty, when a sequential scan is the best plan.
 */
export const indexOnlyTransaction = <T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> =>
  preparedPool(db).transaction().execute(work);
