import { type Db, indexOnlyTransaction } from '../../../ground/postgres/index.ts';
import { noSubscribers } from '../fragment-store.ts';
import type { OutboxEvent, Publisher } from '../outbox-event.ts';
import { markUnknownOfIdleLanes } from '../waiting/claimed-store.ts';
import { adoptReceipts } from './adopt-store.ts';
import type { CarrierKey } from './carrier-id-store.ts';
import { findLateMatches, removeExpiredReceipts, renameEarly } from './early-receipt-store.ts';
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
  publisher?: Publisher;
}

/** Compares receipts with messages whose outcome is unknown; what stays unknown for too long is marked so. */
export const reconcile = async (
  db: Db,
  { unknownMs = UNKNOWN_MS, settledMs, publisher = noSubscribers }: ReconcileOptions = {},
): Promise<{ adopted: number; unknown: number }> => {
  await markUnknownOfIdleLanes(db);
  const publishing = (change: (trx: Db) => Promise<OutboxEvent[]>): Promise<OutboxEvent[]> =>
    db.transaction().execute(async (trx) => {
      const events = await change(trx);
      await publisher.publish(trx, events);
      return events;
    });
  let adopted = 0;
  let overtaken: number;
  do {
    overtaken = 0;
    const events = await publishing(async (trx) => {
      const looked = await adoptReceipts(trx, settledMs);
      overtaken = looked.overtaken;
      return looked.events;
    });
    adopted += events.length;
  } while (overtaken > 0);
  await renameEarly(db);
  let found: CarrierKey[];
  do {
    found = await findLateMatches(db, AT_ONCE);
    const late = { keys: found, publisher };
    await indexOnlyTransaction(db, (trx) => recordEarlyReceipts(trx, late));
  } while (found.length === AT_ONCE);
  const unknown = await publishing((trx) => failUnknown(trx, unknownMs));
  await removeExpiredReceipts(db, EARLY_MS);
  return { adopted, unknown: unknown.length };
};
