import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import type { BatchId, MessageId, MessageStatus } from '../../contract/messages.ts';
import type { Db } from '../postgres/index.ts';
import type { Failed } from './store.ts';

export interface Withdrawal {
  /** Which of those that wait, as a condition on messages. */
  which: RawBuilder<unknown>;
  code: string;
  reason: string;
  limit: number;
  /** Waits for whoever has it in hand this moment, instead of passing it by. */
  wait?: true;
}

/** Cancels what nobody has in hand. What was claimed may be on its way: it stays. */
export const cancelWaiting = async (
  db: Db,
  { which, code, reason, limit, wait }: Withdrawal,
): Promise<Failed[]> => {
  const { rows } = await sql<Failed>`
    with picked as (
      select id, created_at from messages
      where status = 'PENDING' and claimed_by is null and unknown_since is null and (${which})
      limit ${limit} for update ${wait ? sql`` : sql`skip locked`}
    )
    update messages m set status = 'CANCELLED', error_code = ${code}, reason = ${reason}, updated_at = now()
    from picked where m.id = picked.id and m.created_at = picked.created_at
    returning m.id, m.account_id as "accountId", m.batch_id as "batchId", m.channel,
      m.price_micros as "priceMicros"`.execute(db);
  return rows;
};

interface Owner {
  accountId: AccountId;
  /** With the test secret only what cost nothing is touched. */
  free: boolean;
}

export const findOwned = async (
  db: Db,
  { accountId, free, messageId }: Owner & { messageId: MessageId },
): Promise<{ status: MessageStatus } | undefined> => {
  const { rows } = await sql<{ status: MessageStatus }>`
    select status from messages where id = ${messageId} and account_id = ${accountId} and type = 'outgoing'
      and (not ${free} or price_micros = 0)`.execute(db);
  return rows[0];
};

export interface OwnedBatch {
  accountId: AccountId;
  /** As PostgreSQL writes it: to the microsecond, it is the messages' own. */
  createdAt: string;
}

/** Notes that the batch is withdrawn; answers nothing if it is not theirs. */
export const markCancelled = async (
  db: Db,
  { accountId, free, batchId }: Owner & { batchId: BatchId },
): Promise<OwnedBatch | undefined> => {
  const { rows } = await sql<OwnedBatch>`
    update batches set cancelled_at = coalesce(cancelled_at, now())
    where id = ${batchId} and account_id = ${accountId} and (not ${free} or total_micros = 0)
    returning account_id as "accountId", created_at::text as "createdAt"`.execute(db);
  return rows[0];
};

export const findCancelledBatch = async (db: Db, batchId: BatchId): Promise<OwnedBatch | undefined> => {
  const { rows } = await sql<OwnedBatch>`
    select account_id as "accountId", created_at::text as "createdAt" from batches
    where id = ${batchId} and cancelled_at is not null`.execute(db);
  return rows[0];
};

/** How many of a batch are cancelled, and how many still wait. */
export const countWithdrawn = async (db: Db, batchId: BatchId, { accountId, createdAt }: OwnedBatch) => {
  const { rows } = await sql<{ cancelled: number; waiting: number }>`
    select count(*) filter (where status = 'CANCELLED')::int as cancelled,
      count(*) filter (where status = 'PENDING')::int as waiting
    from messages where account_id = ${accountId} and created_at = ${createdAt}::timestamptz
      and batch_id = ${batchId}`.execute(db);
  return rows[0] ?? { cancelled: 0, waiting: 0 };
};

/** The last rows first, from the id given downwards: what goes out next is met last. */
export const ofBatch = (batchId: BatchId, { accountId, createdAt }: OwnedBatch, ids: MessageId[]) =>
  sql`account_id = ${accountId} and created_at = ${createdAt}::timestamptz and batch_id = ${batchId}
    and id = any(${ids}::uuid[])`;

export const listWaiting = async (
  db: Db,
  {
    batchId,
    batch,
    before,
    limit,
  }: { batchId: BatchId; batch: OwnedBatch; before: MessageId; limit: number },
): Promise<MessageId[]> => {
  const { rows } = await sql<{ id: MessageId }>`
    select id from messages where account_id = ${batch.accountId} and created_at = ${batch.createdAt}::timestamptz
      and id < ${before} and batch_id = ${batchId} and status = 'PENDING' and claimed_by is null
    order by id desc limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
};
