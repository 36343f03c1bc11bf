import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { type Db, indexOnlyTransaction } from '../../../ground/postgres/index.ts';
import type { SendOutcome } from '../../lanes/index.ts';
import type { Publisher } from '../outbox-event.ts';
import { lockLate } from './late-result-store.ts';
import { recordEarlyReceipts } from './record-receipts.ts';
import { recordResults, resultOf } from './record-results.ts';

/** What a carrier said of an attempt whose worker may be gone. */
export interface LateResult {
  id: MessageId;
  attempt: number;
  outcome: SendOutcome;
  /** When, in milliseconds. */
  at: number;
}

/** An admin was told that the outcome is unknown, so the message gets a final state instead of being sent again. */
const final = (outcome: SendOutcome): SendOutcome =>
  outcome.outcome === 'refused' ? { ...outcome, retryable: false } : outcome;

interface Settling {
  results: LateResult[];
  publisher: Publisher;
  /**
   * Only the lanes that the reporter speaks for; reports on other lanes' messages are ignored. Undefined: all lanes.
   */
  laneIds?: number[];
}

/**
 * Settles messages whose outcome was unknown until the carrier said it after all. May be repeated. Returns those
 * attempts that have no result yet because their worker, or the recovery of it, is still to write one.
 */
export const settleLate = (
  db: Db,
  { results, publisher, laneIds }: Settling,
): Promise<{ settled: number; open: { id: MessageId; attempt: number }[] }> =>
  indexOnlyTransaction(db, async (trx) => {
    const given = new Map(results.map((result) => [`${result.id} ${result.attempt}`, result]));
    const rows = await lockLate(trx, results, laneIds);
    const known = rows.flatMap((row) => {
      const late = given.get(`${row.id} ${row.attempt}`);
      if (!row.unknown || !late || late.outcome.outcome === 'unknown') return [];
      return [resultOf(row, row.told ? final(late.outcome) : late.outcome, late.at)];
    });
    const keys = await recordResults(trx, { results: known, publisher });
    await recordEarlyReceipts(trx, { keys, publisher });
    return {
      settled: known.length,
      open: rows.flatMap(({ id, attempt, open }) => (open ? [{ id, attempt }] : [])),
    };
  });
