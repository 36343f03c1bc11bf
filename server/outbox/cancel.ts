import type { AccountId } from '../../contract/accounts.ts';
import type { BatchId, MessageId } from '../../contract/messages.ts';
import { DomainError } from '../domain-error.ts';
import type { Db } from '../postgres/index.ts';
import type { Queue } from '../queue/index.ts';
import type { Sender } from '../route.ts';
import {
  cancelWaiting,
  countWithdrawn,
  findCancelledBatch,
  findOwned,
  markCancelled,
  type Withdrawal,
} from './cancel-store.ts';
import { findLot, listExpiredLots, listLotsOfBatch } from './chunk-store.ts';
import { refundFailed } from './refund-failed.ts';

export const CANCEL_BATCH = 'delivery.cancel-batch';
/** Of some hundred messages each, at once. */
export const LOTS = 10;
/** What a call does itself; the rest of a large batch is cancelled in the background. */
const CALL_MS = 3_000;

export interface WithdrawDeps {
  db: Db;
  queue: Pick<Queue, 'send'>;
}

interface Withdrawn {
  count: number;
  refundedMicros: bigint;
}

/** Within a transaction that looks first. */
export const withdrawWithin = async (trx: Db, withdrawal: Withdrawal): Promise<Withdrawn> => {
  const cancelled = await cancelWaiting(trx, withdrawal);
  await refundFailed(trx, cancelled);
  return {
    count: cancelled.length,
    refundedMicros: cancelled.reduce((sum, { priceMicros }) => sum + priceMicros, 0n),
  };
};

/** Cancels and refunds in one transaction. */
export const withdraw = (db: Db, withdrawal: Withdrawal): Promise<Withdrawn> =>
  db.transaction().execute((trx) => withdrawWithin(trx, withdrawal));

/** A repeat finds it cancelled, and refunds nothing. */
export const cancelMessage = async (
  { db }: WithdrawDeps,
  { sender, messageId }: { sender: Sender; messageId: MessageId },
): Promise<{ refundedMicros: bigint }> => {
  const { accountId } = sender;
  const owned = { accountId, free: sender.test, messageId };
  if (!(await findOwned(db, owned))) throw new DomainError('E_NOT_FOUND');
  // Again if it went to another lot meanwhile, as when its lane changes.
  for (let lotId = await findLot(db, owned); lotId; lotId = await findLot(db, owned)) {
    const which = { accountId, lotIds: [lotId], ids: [messageId] };
    const { count, refundedMicros } = await withdraw(db, { ...which, code: 'E_CANCELLED', reason: '' });
    if (count > 0) return { refundedMicros };
  }
  if ((await findOwned(db, owned))?.status !== 'CANCELLED') throw new DomainError('E_NOT_WAITING');
  return { refundedMicros: 0n };
};

/** Until nothing of it waits, or the time is up; answers whether it came to the end. */
const cancelOn = async (db: Db, batchId: BatchId, accountId: AccountId, mayGoOn: () => boolean) => {
  let refundedMicros = 0n;
  while (mayGoOn()) {
    const lots = await listLotsOfBatch(db, { accountId, batchId, limit: LOTS });
    if (lots.length === 0) return { refundedMicros, done: true };
    const lotIds = lots.map(({ id }) => id);
    const chunk = await withdraw(db, { accountId, lotIds, code: 'E_CANCELLED', reason: '' });
    refundedMicros += chunk.refundedMicros;
  }
  return { refundedMicros, done: false };
};

export const cancelBatch = async (
  { db, queue }: WithdrawDeps,
  { sender, batchId }: { sender: Sender; batchId: BatchId },
) => {
  const { accountId } = sender;
  const batch = await markCancelled(db, { accountId, free: sender.test, batchId });
  if (!batch) throw new DomainError('E_NOT_FOUND');
  const end = Date.now() + CALL_MS;
  const { refundedMicros, done } = await cancelOn(db, batchId, accountId, () => Date.now() < end);
  if (!done) await queue.send(CANCEL_BATCH, { batchId });
  return { refundedMicros, ...(await countWithdrawn(db, batchId, batch)) };
};

/** The rest, in the background. */
export const cancelRest = async (db: Db, batchId: BatchId, signal: AbortSignal): Promise<void> => {
  const batch = await findCancelledBatch(db, batchId);
  if (!batch) return;
  const { done } = await cancelOn(db, batchId, batch.accountId, () => !signal.aborted);
  if (!done) throw new Error('a batch is not wholly cancelled yet');
};

/** Those that are too late to be worth sending. */
export const cancelExpired = async (db: Db): Promise<number> => {
  let cancelled = 0;
  for (;;) {
    const lots = await listExpiredLots(db, LOTS);
    if (lots.length === 0) return cancelled;
    for (const [accountId, its] of Map.groupBy(lots, (lot) => lot.accountId)) {
      const lotIds = its.map(({ id }) => id);
      const reason = 'It could not go out in time.';
      cancelled += (await withdraw(db, { accountId, lotIds, code: 'E_TOO_LATE', reason })).count;
    }
  }
};
