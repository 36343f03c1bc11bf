import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { EntryId } from '../../../../contract/customer/wallet.ts';
import { listChargedAgain, refund } from '../../../customer/wallet/index.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { type Failed, findCaptures } from './result-store.ts';

interface Share {
  accountId: AccountId;
  captureId: EntryId;
  failed: { message: Failed; item: string }[];
}

/** How the ledger names a message. */
export const itemOf = ({ id }: Pick<Failed, 'id'>): string => `message:${id}`;

/** Refunds failed messages, in the transaction that fails them; the ledger makes sure that it happens once. */
export const refundFailed = async (db: Db, failed: Failed[]): Promise<void> => {
  const paid = failed.filter(({ priceMicros }) => priceMicros > 0n);
  if (paid.length === 0) return;
  const batchIds = [...new Set(paid.flatMap(({ batchId }) => batchId ?? []))];
  const captures = new Map(
    (await findCaptures(db, batchIds)).map(({ batchId, captureId }) => [
      batchId,
      String(captureId) as EntryId,
    ]),
  );
  const again = await listChargedAgain(
    db,
    paid.map((message) => ({ accountId: message.accountId, item: itemOf(message) })),
  );
  const shares = new Map<EntryId, Share>();
  for (const message of paid) {
    const { entryId, refundedAs } = again.get(itemOf(message)) ?? {};
    const captureId = entryId ?? (message.batchId ? captures.get(message.batchId) : undefined);
    if (captureId === undefined) continue;
    const share = shares.get(captureId) ?? { accountId: message.accountId, captureId, failed: [] };
    share.failed.push({ message, item: refundedAs ?? itemOf(message) });
    shares.set(captureId, share);
  }
  await refund(
    db,
    [...shares.values()].map(({ accountId, captureId, failed: of }) => ({
      accountId,
      captureId,
      items: of.map(({ message, item }) => ({ item, amountMicros: message.priceMicros })),
      details: { ...(of[0] && { channel: of[0].message.channel }), messages: of.length },
    })),
  );
};
