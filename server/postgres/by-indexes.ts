import { sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * Does the work in a transaction in which tables are read by their indexes only. A prepared statement needs it: its
 * plan is made once, maybe while a table is still empty, and reading a table whole is the best plan just then.
 */
export const byIndexes = <T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
      set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`.execute(trx);
    return work(trx);
  });
