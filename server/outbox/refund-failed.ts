import type { AccountId } from '../../contract/accounts.ts';
import type { EntryId } from '../../contract/wallet.ts';
import type { Db } from '../postgres/index.ts';
import { refund } from '../wallet/index.ts';
import { type Failed, findCaptures } from './result-store.ts';

interface Share {
  accountId: AccountId;
  captureId: EntryId;
  failed: Failed[];
}

/** Refunds failed messages, in the transaction that fails them; the ledger makes sure that it happens once. */
export const refundFailed = async (db: Db, failed: Failed[]): Promise<void> => {
  const paid = failed.filter(({ priceMicros }) => priceMicros > 0n);
  if (paid.length === 0) return;
  const batchIds = [...new Set(paid.flatMap(({ batchId }) => batchId ?? []))];
  const captures = new Map(
    (await findCaptures(db, batchIds)).map(({ batchId, captureId }) => [batchId, captureId]),
  );
  const shares = new Map<bigint, Share>();
  for (const message of paid) {
    const captureId = message.batchId ? captures.get(message.batchId) : undefined;
    if (captureId === undefined) continue;
    const share = shares.get(captureId) ?? {
      accountId: message.accountId,
      captureId: String(captureId) as EntryId,
      failed: [],
    };
    share.failed.push(message);
    shares.set(captureId, share);
  }
  // Wallets are locked in the order of their accounts, here as everywhere.
  const inOrder = [...shares.values()].sort((a, b) => (a.accountId < b.accountId ? -1 : 1));
  for (const { accountId, captureId, failed: messages } of inOrder)
    await refund(db, {
      accountId,
      captureId,
      items: messages.map(({ id, priceMicros }) => ({ item: `message:${id}`, amountMicros: priceMicros })),
      details: { ...(messages[0] && { channel: messages[0].channel }), messages: messages.length },
    });
};
