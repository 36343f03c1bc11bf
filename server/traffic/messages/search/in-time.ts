import { DomainError } from '../../../ground/domain-error.ts';
import { type Db, isStatementTimeout, limitStatements } from '../../../ground/postgres/index.ts';

/** How long the queries of one search may take. A page waits half a minute for its answer, the wait for a slot included. */
const QUESTION_MS = 10_000;
/** Who waits for a slot outlasts the search that has it. */
export const SLOT_WAIT_MS = 1.5 * QUESTION_MS;
/** While less of its time is gone, a search does not ask the database to shorten it: most take milliseconds. */
const UNHURRIED = 0.25;

/** Each statement may take no longer than those before it have left of the time. */
const hurrying = (trx: Db, limitMs: number): Db => {
  const begun = performance.now();
  return trx.withPlugin({
    transformQuery: ({ node }) => {
      const goneMs = performance.now() - begun;
      // A transaction runs its statements in order: this one comes before that of the node. If it fails, so does that.
      if (goneMs > limitMs * UNHURRIED)
        limitStatements(trx, Math.max(1, Math.ceil(limitMs - goneMs))).catch(() => {});
      return node;
    },
    transformResult: async ({ result }) => result,
  });
};

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
        return work(hurrying(trx, limitMs));
      });
  } catch (error) {
    if (isStatementTimeout(error)) throw new DomainError('E_SEARCH_TOO_LONG');
    throw error;
  }
};

export const isTooLong = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'E_SEARCH_TOO_LONG';
