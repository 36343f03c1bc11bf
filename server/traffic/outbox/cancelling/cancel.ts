import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { BatchId, MessageId } from '../../../../contract/traffic/messages.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { Queue } from '../../../ground/queue/index.ts';
import type { SendingAccount } from '../../../ground/route/index.ts';
import { refundFailed } from '../results/refund-failed.ts';
import { findChunk, listChunksOfBatch, listExpiredChunks } from '../waiting/chunk-store.ts';
import {
  type Cancellation,
  cancelWaiting,
  countCancelled,
  findCancelledBatch,
  findOwned,
  markCancelled,
} from './cancel-store.ts';

export const CANCEL_BATCH = 'outbox.cancel-batch';
/** Chunks per transaction, of some hundred messages each. */
export const CHUNKS = 10;
/** How much a call does itself; the rest of a large batch is cancelled in the background. */
const CALL_MS = 3_000;

export interface CancelDeps {
  db: Db;
  queue: Pick<Queue, 'send'>;
}

interface Cancelled {
  count: number;
  refundedMicros: bigint;
}

/** Within a transaction that checks first. */
export const cancelWithin = async (trx: Db, cancellation: Cancellation): Promise<Cancelled> => {
  const cancelled = await cancelWaiting(trx, cancellation);
  await refundFailed(trx, cancelled);
  return {
    count: cancelled.length,
    refundedMicros: cancelled.reduce((sum, { priceMicros }) => sum + priceMicros, 0n),
  };
};

/** Cancels and refunds in one transaction. */
export const cancelChunks = (db: Db, cancellation: Cancellation): Promise<Cancelled> =>
  db.transaction().execute((trx) => cancelWithin(trx, cancellation));

/** A repeat finds the message cancelled and refunds nothing. */
export const cancelMessage = async (
  { db }: CancelDeps,
  { sender, messageId }: { sender: SendingAccount; messageId: MessageId },
): Promise<{ refundedMicros: bigint }> => {
  const { accountId } = sender;
  const owned = { accountId, free: sender.test, messageId };
  if (!(await findOwned(db, owned))) throw new DomainError('E_NOT_FOUND');
  // Repeated, because a message may have moved to another chunk meanwhile, for example to another lane.
  for (let chunkId = await findChunk(db, owned); chunkId; chunkId = await findChunk(db, owned)) {
    const which = { accountId, chunkIds: [chunkId], ids: [messageId] };
    const { count, refundedMicros } = await cancelChunks(db, { ...which, code: 'E_CANCELLED', reason: '' });
    if (count > 0) return { refundedMicros };
  }
  if ((await findOwned(db, owned))?.status !== 'CANCELLED') throw new DomainError('E_NOT_WAITING');
  return { refundedMicros: 0n };
};

/** Until nothing of it waits, or the time is up; returns whether it finished. */
const cancelOn = async (db: Db, batchId: BatchId, accountId: AccountId, mayGoOn: () => boolean) => {
  let refundedMicros = 0n;
  while (mayGoOn()) {
    const chunks = await listChunksOfBatch(db, { accountId, batchId, limit: CHUNKS });
    if (chunks.length === 0) return { refundedMicros, done: true };
    const chunkIds = chunks.map(({ id }) => id);
    const chunk = await cancelChunks(db, { accountId, chunkIds, code: 'E_CANCELLED', reason: '' });
    refundedMicros += chunk.refundedMicros;
  }
  return { refundedMicros, done: false };
};

/** What a worker has claimed by now may be sent; what was not is cancelled when it comes back. */
export const cancelBatch = async (
  { db, queue }: CancelDeps,
  { sender, batchId }: { sender: SendingAccount; batchId: BatchId },
) => {
  const { accountId } = sender;
  const batch = await markCancelled(db, { accountId, free: sender.test, batchId });
  if (!batch) throw new DomainError('E_NOT_FOUND');
  const end = Date.now() + CALL_MS;
  const { refundedMicros, done } = await cancelOn(db, batchId, accountId, () => Date.now() < end);
  if (!done) await queue.send(CANCEL_BATCH, { batchId });
  return { refundedMicros, ...(await countCancelled(db, batchId, batch)) };
};

/** The rest, in the background. */
export const cancelRest = async (db: Db, batchId: BatchId, signal: AbortSignal): Promise<void> => {
  const batch = await findCancelledBatch(db, batchId);
  if (!batch) return;
  const { done } = await cancelOn(db, batchId, batch.accountId, () => !signal.aborted);
  if (!done) throw new Error('a batch is not wholly cancelled yet');
};

/** Messages that are too late to be worth sending. */
export const cancelExpired = async (db: Db): Promise<number> => {
  let cancelled = 0;
  for (;;) {
    const chunks = await listExpiredChunks(db, CHUNKS);
    if (chunks.length === 0) return cancelled;
    for (const [accountId, its] of Map.groupBy(chunks, (chunk) => chunk.accountId)) {
      const chunkIds = its.map(({ id }) => id);
      const reason = 'It could not go out in time.';
      cancelled += (await cancelChunks(db, { accountId, chunkIds, code: 'E_TOO_LATE', reason })).count;
    }
  }
};
