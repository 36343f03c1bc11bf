import type { Receipt } from '../lanes/index.ts';
import type { Db } from '../postgres/index.ts';
import type { Tell } from '../tell.ts';
import { keepEarlyReceipts, takeEarlyReceipts, type Word, writeReceipts } from './receipt-store.ts';
import { refundFailed } from './refund-failed.ts';

/** One word a message: the first final state counts, and the first time of each. */
export const foldReceipts = (receipts: Receipt[]): Word[] => {
  const words = new Map<string, Word>();
  for (const { providerMessageId, state, at, code } of receipts) {
    const word = words.get(providerMessageId) ?? {
      providerMessageId,
      deliveredAt: null,
      readAt: null,
      failedCode: null,
    };
    const final = word.failedCode !== null || word.deliveredAt !== null || word.readAt !== null;
    if (state === 'failed' && !final) word.failedCode = code || 'E_NOT_DELIVERED';
    if (word.failedCode === null && state === 'delivered') word.deliveredAt ??= at;
    if (word.failedCode === null && state === 'read') word.readAt ??= at;
    words.set(providerMessageId, word);
  }
  return [...words.values()];
};

/** Within the transaction given. A receipt that finds no message is kept: its message may be told of any moment. */
export const recordReceipts = async (
  trx: Db,
  { laneId, receipts, tell }: { laneId: number; receipts: Receipt[]; tell: Tell },
): Promise<void> => {
  if (receipts.length === 0) return;
  const { known, failed, happenings } = await writeReceipts(trx, laneId, foldReceipts(receipts));
  await tell(trx, happenings);
  const early = receipts.filter(({ providerMessageId }) => !known.has(providerMessageId));
  if (early.length > 0) await keepEarlyReceipts(trx, laneId, early);
  await refundFailed(trx, failed);
};

/** The receipts that came before these messages had their id. */
export const recordEarlyReceipts = async (
  trx: Db,
  { laneId, providerMessageIds, tell }: { laneId: number; providerMessageIds: string[]; tell: Tell },
): Promise<void> => {
  if (providerMessageIds.length === 0) return;
  const receipts = await takeEarlyReceipts(trx, laneId, providerMessageIds);
  await recordReceipts(trx, { laneId, receipts, tell });
};
