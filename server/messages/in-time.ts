import { DomainError } from '../domain-error.ts';
import { type Db, isStatementTimeout, limitStatements } from '../postgres/index.ts';

/**
 * How long a query of messages may take. A page waits half a minute for its answer; with the wait for a slot before it,
 * this is about the longest after which somebody still reads it.
 */
const QUESTION_MS = 15_000;

/** Reads as of one moment, and refuses what takes too long instead of holding a connection for it. */
export const inTime = async <T>(
  db: Db,
  work: (trx: Db) => Promise<T>,
  limitMs: number = QUESTION_MS,
): Promise<T> => {
  try {
    return await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        await limitStatements(trx, limitMs);
        return work(trx);
      });
  } catch (error) {
    if (isStatementTimeout(error)) throw new DomainError('E_SEARCH_TOO_LONG');
    throw error;
  }
};

export const isTooLong = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'E_SEARCH_TOO_LONG';
