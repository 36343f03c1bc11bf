import { sql } from 'kysely';
import type { BatchId, MessageId } from '../../contract/messages.ts';
import { DomainError } from '../domain-error.ts';
import type { Db } from '../postgres/index.ts';
import type { Queue } from '../queue/index.ts';
import type { Sender } from '../route.ts';
import { refundFailed } from './refund-failed.ts';
import {
  cancelWaiting,
  countWithdrawn,
  findCancelledBatch,
  findOwned,
  listWaiting,
  markCancelled,
  type OwnedBatch,
  ofBatch,
  type Withdrawal,
} from './withdraw-store.ts';

export const CANCEL_BATCH = 'delivery.cancel-batch';
export const CHUNK = 1_000;
/** What a call does itself; the rest of a large batch is cancelled in the background. */
const CALL_MS = 3_000;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff' as MessageId;

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
  const owned = { accountId: sender.accountId, free: sender.test, messageId };
  if (!(await findOwned(db, owned))) throw new DomainError('E_NOT_FOUND');
  const { count, refundedMicros } = await withdraw(db, {
    which: sql`id = ${messageId} and account_id = ${sender.accountId}`,
    code: 'E_CANCELLED',
    reason: '',
    limit: 1,
    wait: true,
  });
  if (count === 0 && (await findOwned(db, owned))?.status !== 'CANCELLED')
    throw new DomainError('E_NOT_WAITING');
  return { refundedMicros };
};

/** Until nothing of it waits, or the time is up; answers whether it came to the end. */
const cancelOn = async (db: Db, batchId: BatchId, batch: OwnedBatch, mayGoOn: () => boolean) => {
  let refundedMicros = 0n;
  let passedBy = false;
  for (let before = LAST_ID; mayGoOn(); ) {
    const ids = await listWaiting(db, { batchId, batch, before, limit: CHUNK });
    const last = ids.at(-1);
    if (!last && !passedBy) return { refundedMicros, done: true };
    if (!last) {
      // Whoever had some locked, as when they go by another lane, has let go of them by now, or has claimed them.
      passedBy = false;
      before = LAST_ID;
      continue;
    }
    const which = ofBatch(batchId, batch, ids);
    const chunk = await withdraw(db, { which, code: 'E_CANCELLED', reason: '', limit: CHUNK });
    refundedMicros += chunk.refundedMicros;
    passedBy ||= chunk.count < ids.length;
    before = last;
  }
  return { refundedMicros, done: false };
};

export const cancelBatch = async (
  { db, queue }: WithdrawDeps,
  { sender, batchId }: { sender: Sender; batchId: BatchId },
) => {
  const batch = await markCancelled(db, { accountId: sender.accountId, free: sender.test, batchId });
  if (!batch) throw new DomainError('E_NOT_FOUND');
  const end = Date.now() + CALL_MS;
  const { refundedMicros, done } = await cancelOn(db, batchId, batch, () => Date.now() < end);
  if (!done) await queue.send(CANCEL_BATCH, { batchId });
  return { refundedMicros, ...(await countWithdrawn(db, batchId, batch)) };
};

/** The rest, in the background. */
export const cancelRest = async (db: Db, batchId: BatchId, signal: AbortSignal): Promise<void> => {
  const batch = await findCancelledBatch(db, batchId);
  if (!batch) return;
  const { done } = await cancelOn(db, batchId, batch, () => !signal.aborted);
  if (!done) throw new Error('a batch is not wholly cancelled yet');
};

/** Those that are too late to be worth sending. */
export const cancelExpired = async (db: Db): Promise<number> => {
  let cancelled = 0;
  for (;;) {
    const { count } = await withdraw(db, {
      which: sql`expires_at <= now()`,
      code: 'E_TOO_LATE',
      reason: 'It could not go out in time.',
      limit: CHUNK,
    });
    cancelled += count;
    if (count < CHUNK) return cancelled;
  }
};
