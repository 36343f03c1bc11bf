import type { Receipt } from '../lanes/index.ts';
import type { Db } from '../postgres/index.ts';
import type { PublishEvents } from './outbox-event.ts';
import { keepEarlyReceipts, type ReceiptSummary, takeEarlyReceipts, writeReceipts } from './receipt-store.ts';
import { refundFailed } from './refund-failed.ts';

/** One summary a message: the first final state counts, and the first time of each. */
export const foldReceipts = (receipts: Receipt[]): ReceiptSummary[] => {
  const summaries = new Map<string, ReceiptSummary>();
  for (const { providerMessageId, state, at, code } of receipts) {
    const summary = summaries.get(providerMessageId) ?? {
      providerMessageId,
      deliveredAt: null,
      readAt: null,
      failedCode: null,
    };
    const final = summary.failedCode !== null || summary.deliveredAt !== null || summary.readAt !== null;
    if (state === 'failed' && !final) summary.failedCode = code || 'E_NOT_DELIVERED';
    if (summary.failedCode === null && state === 'delivered') summary.deliveredAt ??= at;
    if (summary.failedCode === null && state === 'read') summary.readAt ??= at;
    summaries.set(providerMessageId, summary);
  }
  return [...summaries.values()];
};

/** Within the given transaction. A receipt without a message is stored: its message may appear at any moment. */
export const recordReceipts = async (
  trx: Db,
  { laneId, receipts, publish }: { laneId: number; receipts: Receipt[]; publish: PublishEvents },
): Promise<void> => {
  if (receipts.length === 0) return;
  const { known, failed, events } = await writeReceipts(trx, laneId, foldReceipts(receipts));
  await publish(trx, events);
  // What is kept for later does not say who said it.
  const early = receipts.filter((one) => !known.has(one.providerMessageId) && !one.unproven);
  if (early.length > 0) await keepEarlyReceipts(trx, laneId, early);
  const unproven = new Set(receipts.map((one) => one.unproven && one.messageId));
  await refundFailed(
    trx,
    failed.filter(({ id }) => !unproven.has(id)),
  );
};

/** The receipts that arrived before these messages had their id. */
export const recordEarlyReceipts = async (
  trx: Db,
  {
    laneId,
    providerMessageIds,
    publish,
  }: { laneId: number; providerMessageIds: string[]; publish: PublishEvents },
): Promise<void> => {
  if (providerMessageIds.length === 0) return;
  const receipts = await takeEarlyReceipts(trx, laneId, providerMessageIds);
  await recordReceipts(trx, { laneId, receipts, publish });
};
