import type { Db } from '../../../ground/postgres/index.ts';
import { noSubscribers } from '../fragment-store.ts';
import type { Publisher } from '../outbox-event.ts';
import { type ReceivedPart, tellPartsOf } from '../parts/tell-parts.ts';
import { withinTransaction } from '../waiting/within-transaction.ts';
import type { CarrierKey } from './carrier-id-store.ts';
import {
  findOtherIds,
  keepEarlyReceipts,
  type LaneReceipt,
  takeEarlyReceipts,
} from './early-receipt-store.ts';
import { type OfPart, type ReceiptSummary, writeReceipts } from './receipt-store.ts';
import { refundFailed } from './refund-failed.ts';

const nameOf = ({ laneId, providerMessageId }: CarrierKey): string => `${laneId} ${providerMessageId}`;

/** Makes one summary for each message: its first final state, and the first time of each state. */
const foldReceipts = (receipts: LaneReceipt[]): ReceiptSummary[] => {
  const summaries = new Map<string, ReceiptSummary>();
  for (const receipt of receipts) {
    const { laneId, providerMessageId, state, at, code } = receipt;
    const summary = summaries.get(nameOf(receipt)) ?? {
      laneId,
      providerMessageId,
      deliveredAt: null,
      readAt: null,
      failedCode: null,
    };
    const final = summary.failedCode !== null || summary.deliveredAt !== null || summary.readAt !== null;
    if (state === 'failed' && !final) summary.failedCode = code || 'E_NOT_DELIVERED';
    if (summary.failedCode === null && state === 'delivered') summary.deliveredAt ??= at;
    if (summary.failedCode === null && state === 'read') summary.readAt ??= at;
    summaries.set(nameOf(receipt), summary);
  }
  return [...summaries.values()];
};

const receivedOf = (summaries: ReceiptSummary[], ofParts: OfPart[]): ReceivedPart[] => {
  const byName = new Map(summaries.map((summary) => [nameOf(summary), summary]));
  return ofParts.map((one) => {
    const { deliveredAt, readAt, failedCode } = byName.get(nameOf(one)) as ReceiptSummary;
    const { id, createdAt, providerMessageId: partId } = one;
    return { id, createdAt, partId, deliveredAt: deliveredAt ?? readAt, failedCode };
  });
};

/** Whether a receipt may change more than its message, such as a refund: then the receipts need a transaction. */
export const mayRefund = (receipts: LaneReceipt[]): boolean =>
  receipts.some(({ state }) => state === 'failed');

/** Separates the receipts whose message is known under another form of their id from those that have no message. */
const turnIds = async (
  db: Db,
  missed: LaneReceipt[],
): Promise<{ turned: LaneReceipt[]; unknown: LaneReceipt[] }> => {
  const others = new Map((await findOtherIds(db, missed)).map((one) => [nameOf(one), one.otherId]));
  const { turned = [], unknown = [] } = Object.groupBy(missed, (one) =>
    others.has(nameOf(one)) ? 'turned' : 'unknown',
  );
  return {
    turned: turned.map(({ otherIds: _, ...one }) => ({
      ...one,
      providerMessageId: others.get(nameOf(one)) ?? one.providerMessageId,
    })),
    unknown,
  };
};

/** A receipt without a message is stored, because its message may be stored at any moment. */
export const recordReceipts = async (
  db: Db,
  { receipts, publisher = noSubscribers }: { receipts: LaneReceipt[]; publisher?: Publisher },
): Promise<void> => {
  if (receipts.length === 0) return;
  const summaries = foldReceipts(receipts);
  const { unmatched, ofParts, failed } = await writeReceipts(db, summaries, publisher);
  if (unmatched.length > 0) {
    const names = new Set(unmatched.map(nameOf));
    const missed = receipts.filter((receipt) => names.has(nameOf(receipt)));
    const { turned, unknown } = await turnIds(db, missed);
    // A stored early receipt does not record who reported it.
    const early = unknown.filter(({ unproven }) => !unproven);
    if (early.length > 0) await keepEarlyReceipts(db, early);
    await recordReceipts(db, { receipts: turned, publisher });
  }
  const unproven = new Set(receipts.map((receipt) => receipt.unproven && receipt.messageId));
  const proven = failed.filter(({ id }) => !unproven.has(id));
  const received = receivedOf(summaries, ofParts);
  if (received.length === 0) return refundFailed(db, proven);
  // All refunds in one call, so that wallets are locked in one order.
  await withinTransaction(db, async (trx) =>
    refundFailed(trx, [...proven, ...(await tellPartsOf(trx, { received, publisher }))]),
  );
};

/** Within the given transaction: the receipts that arrived before these messages had their id. */
export const recordEarlyReceipts = async (
  trx: Db,
  { keys, publisher = noSubscribers }: { keys: CarrierKey[]; publisher?: Publisher },
): Promise<void> => {
  if (keys.length === 0) return;
  await recordReceipts(trx, { receipts: await takeEarlyReceipts(trx, keys), publisher });
};
