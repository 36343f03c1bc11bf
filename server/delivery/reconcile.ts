import type { Db } from '../postgres/index.ts';
import { adoptReceipts, findLateMatches, removeExpiredReceipts } from './receipt-store.ts';
import { recordEarlyReceipts } from './record-receipts.ts';
import { failUnknown, markUnknownOfIdleLanes } from './store.ts';

/** Receipts have this long to tell what became of a message before an admin is asked. */
const UNKNOWN_MS = 10 * 60_000;
/** A receipt whose message never turned up. */
const EARLY_MS = 24 * 3_600_000;
const AT_ONCE = 1_000;

export interface ReconcileOptions {
  unknownMs?: number;
  settledMs?: number;
}

/** Holds receipts against messages whose outcome nobody knows; what stays unknown too long is shown as such. */
export const reconcile = async (
  db: Db,
  { unknownMs = UNKNOWN_MS, settledMs }: ReconcileOptions = {},
): Promise<{ adopted: number; unknown: number }> => {
  await markUnknownOfIdleLanes(db);
  const adopted = await adoptReceipts(db, settledMs);
  const matches = Map.groupBy(await findLateMatches(db, AT_ONCE), ({ laneId }) => laneId);
  for (const [laneId, found] of matches)
    await db.transaction().execute((trx) =>
      recordEarlyReceipts(
        trx,
        laneId,
        found.map(({ providerMessageId }) => providerMessageId),
      ),
    );
  const unknown = await failUnknown(db, unknownMs);
  await removeExpiredReceipts(db, EARLY_MS);
  return { adopted: adopted.length, unknown };
};
