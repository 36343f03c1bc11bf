import type { AccountId } from '../../contract/accounts.ts';
import { byIndexes, type Db, steadyOf } from '../postgres/index.ts';
import type { OutboxDeps } from './outbox-deps.ts';
import type { ReceiptSummary } from './receipt-store.ts';
import { isNotFastPath, NotFastPath, writeReceiptsFast, writeResultsFast } from './record-fast-path-store.ts';
import type { Result } from './result-store.ts';

/** After a flush did not fit the fast path, the next ones take the general path directly for this long. */
const REST_MS = 1_000;

interface Flush {
  results: Result[];
  summaries: ReceiptSummary[];
}

const thisMonth = (): string => new Date().toISOString().slice(0, 7).replace('-', '_');

/**
 * Writes the most common flushes as cheaply as possible: messages that the carrier accepted, and deliveries, without a
 * subscriber. It updates one month's tables. Returns false for anything else, with nothing written; the caller takes
 * the general path.
 */
export const openRecordFastPath = (
  { db, hasSubscriber }: Pick<OutboxDeps, 'db' | 'hasSubscriber'>,
  laneId: number,
) => {
  let restUntil = 0;

  const accountsOf = (results: Result[]): AccountId[] => [
    ...new Set(results.map(({ message }) => message.accountId)),
  ];
  const fitsFastPath = ({ results, summaries }: Flush): boolean =>
    results.every(
      ({ status, providerMessageId, message }) =>
        status === 'SUCCESS' && providerMessageId !== null && message.month === results[0]?.message.month,
    ) &&
    summaries.every(
      ({ deliveredAt, readAt, failedCode }) => deliveredAt !== null && readAt === null && failedCode === null,
    ) &&
    !hasSubscriber(accountsOf(results));
  const requireNoSubscriber = (accountIds: AccountId[]): void => {
    if (accountIds.length > 0 && hasSubscriber(accountIds))
      throw new NotFastPath('an account has a subscriber');
  };

  const writeAll = async (trx: Db, { results, summaries }: Flush): Promise<void> => {
    // Checked again: an account may have become a subscriber while we waited for a connection.
    requireNoSubscriber(accountsOf(results));
    const [first] = results;
    if (first) await writeResultsFast(trx, { laneId, month: first.message.month, results });
    if (summaries.length > 0)
      requireNoSubscriber(await writeReceiptsFast(trx, { laneId, month: thisMonth(), summaries }));
  };
  /** One statement is a transaction by itself. */
  const write = (flush: Flush): Promise<void> =>
    flush.summaries.length === 0
      ? steadyOf(db)
          .connection()
          .execute((connection) => writeAll(connection, flush))
      : byIndexes(db, (trx) => writeAll(trx, flush));

  return async (flush: Flush): Promise<boolean> => {
    if (performance.now() < restUntil || !fitsFastPath(flush)) return false;
    try {
      await write(flush);
      return true;
    } catch (error) {
      if (!isNotFastPath(error)) throw error;
      restUntil = performance.now() + REST_MS;
      return false;
    }
  };
};
