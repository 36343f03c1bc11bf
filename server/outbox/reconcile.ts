import { byIndexes, type Db } from '../postgres/index.ts';
import { markUnknownOfIdleLanes } from './claimed-store.ts';
import { type OutboxEvent, type PublishEvents, publishNothing } from './outbox-event.ts';
import { adoptReceipts, findLateMatches, type LateMatch, removeExpiredReceipts } from './receipt-store.ts';
import { recordEarlyReceipts } from './record-receipts.ts';
import { failUnknown } from './result-store.ts';

/** Receipts have this long to settle a message before an admin has to. */
const UNKNOWN_MS = 10 * 60_000;
/** A receipt whose message never appeared. */
const EARLY_MS = 24 * 3_600_000;
const AT_ONCE = 1_000;

interface ReconcileOptions {
  unknownMs?: number;
  settledMs?: number;
  publish?: PublishEvents;
}

/** Compares receipts with messages whose outcome is unknown; what stays unknown for too long is marked so. */
export const reconcile = async (
  db: Db,
  { unknownMs = UNKNOWN_MS, settledMs, publish = publishNothing }: ReconcileOptions = {},
): Promise<{ adopted: number; unknown: number }> => {
  await markUnknownOfIdleLanes(db);
  const publishing = (change: (trx: Db) => Promise<OutboxEvent[]>): Promise<OutboxEvent[]> =>
    db.transaction().execute(async (trx) => {
      const events = await change(trx);
      await publish(trx, events);
      return events;
    });
  const adopted = await publishing((trx) => adoptReceipts(trx, settledMs));
  let found: LateMatch[];
  do {
    found = await findLateMatches(db, AT_ONCE);
    for (const [laneId, matches] of Map.groupBy(found, (match) => match.laneId)) {
      const ids = matches.map(({ providerMessageId }) => providerMessageId);
      await byIndexes(db, (trx) => recordEarlyReceipts(trx, { laneId, providerMessageIds: ids, publish }));
    }
  } while (found.length === AT_ONCE);
  const unknown = await publishing((trx) => failUnknown(trx, unknownMs));
  await removeExpiredReceipts(db, EARLY_MS);
  return { adopted: adopted.length, unknown: unknown.length };
};
