import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Until the end of the transaction a statement that takes longer is cancelled. */
export const limitStatements = async (trx: Db, limitMs: number): Promise<void> => {
  await sql`select set_config('statement_timeout', ${`${limitMs}ms`}, true)`.execute(trx);
};

/** Whether a statement was cancelled because it took too long. */
export const isStatementTimeout = (error: unknown): boolean =>
  (error as { code?: unknown } | null | undefined)?.code === '57014';
