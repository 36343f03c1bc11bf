import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { BatchId, MessageId, MessageStatus } from '../../../../contract/traffic/messages.ts';
import { isOptedOut } from '../../../customer/opt-outs/index.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { Failed } from '../results/result-store.ts';
import { type ChunkId, isChunk, ofAccount } from '../waiting/chunk-store.ts';

export interface Cancellation {
  accountId: AccountId;
  chunkIds: ChunkId[];
  /** Only these messages; all if not given. */
  ids?: MessageId[];
  code: string;
  reason: string;
}

/** Why messages to somebody who opted out are cancelled. */
export const OPTED_OUT = { code: 'E_OPTED_OUT', reason: 'The recipient opted out before it was sent.' };

const CANCELLED = sql`m.id, m.account_id as "accountId", m.batch_id as "batchId", m.channel,
  m.price_micros as "priceMicros"`;

/**
 * Cancels messages of an account that no worker has claimed. Claimed messages may have been sent: they stay. It first
 * waits for transactions that take some of them at this moment, and then reads what there is, because the chunks may
 * have changed by then.
 */
export const cancelWaiting = async (
  db: Db,
  { accountId, chunkIds, ids, code, reason }: Cancellation,
): Promise<Failed[]> => {
  const found = sql`from outbox_chunks where ${ofAccount(accountId)} and outbox_chunks.id = any(${chunkIds}::bigint[])
      order by lane_id, priority, account_id, due, id for update`;
  await sql`select ${found}`.execute(db);
  const isOut = ids ? sql`one.id = any(${ids}::uuid[])` : sql`true`;
  const { rows } = await sql<Failed>`
    with found as materialized (select lane_id, priority, account_id, due, id, created_at, ids ${found}),
    parted as materialized (
      select found.*, array_agg(one.id) filter (where ${isOut}) as out_ids,
        array_agg(one.id order by place) filter (where not ${isOut}) as left_ids
      from found cross join unnest(ids) with ordinality as one (id, place) group by 1, 2, 3, 4, 5, 6, 7
    ), gone as (
      delete from outbox_chunks l using parted p where ${isChunk} and p.left_ids is null
    ), kept as (
      update outbox_chunks l set ids = p.left_ids from parted p where ${isChunk} and p.left_ids is not null
    )
    update messages m set status = 'CANCELLED', error_code = ${code}, reason = ${reason}, updated_at = now()
    from parted p where m.created_at = p.created_at and m.id = any(p.out_ids) and m.status = 'PENDING'
    returning ${CANCELLED}`.execute(db);
  return rows;
};

/**
 * Of messages in no chunk, before they wait again: cancels those whose batch was cancelled or whose recipients have opted
 * out. Batches are locked: whoever cancels one at this moment waits, and then finds its messages in their chunks.
 */
export const cancelUnwanted = async (
  trx: Db,
  messages: { id: string; createdAt: string }[],
): Promise<Failed[]> => {
  if (messages.length === 0) return [];
  const { rows } = await sql<Failed>`
    with found as materialized (
      select m.id, m.created_at, b.cancelled_at is not null as cancelled
      from unnest(${messages.map(({ id }) => id)}::uuid[],
        ${messages.map(({ createdAt }) => createdAt)}::timestamptz[]) as given (id, created_at)
      join messages m on m.id = given.id and m.created_at = given.created_at
      join batches b on b.id = m.batch_id for share of b
    )
    update messages m set status = 'CANCELLED', updated_at = now(),
      error_code = case when f.cancelled then 'E_CANCELLED' else ${OPTED_OUT.code} end,
      reason = case when f.cancelled then '' else ${OPTED_OUT.reason} end
    from found f
    where m.id = f.id and m.created_at = f.created_at and m.status = 'PENDING' and m.unknown_since is null
      and (f.cancelled or ${isOptedOut})
    returning ${CANCELLED}`.execute(trx);
  return rows;
};

interface Owner {
  accountId: AccountId;
  /** With the test secret only what was sent with it is touched. */
  free: boolean;
}

export const findOwned = async (
  db: Db,
  { accountId, free, messageId }: Owner & { messageId: MessageId },
): Promise<{ status: MessageStatus } | undefined> => {
  const { rows } = await sql<{ status: MessageStatus }>`
    select status from messages where id = ${messageId} and account_id = ${accountId} and type = 'outgoing'
      and (not ${free} or (test and price_micros = 0))`.execute(db);
  return rows[0];
};

interface OwnedBatch {
  accountId: AccountId;
  /** As PostgreSQL writes it, to the microsecond: it equals the messages' own. */
  createdAt: string;
}

/** Marks the batch as cancelled; undefined if it is not theirs. */
export const markCancelled = async (
  db: Db,
  { accountId, free, batchId }: Owner & { batchId: BatchId },
): Promise<OwnedBatch | undefined> => {
  const { rows } = await sql<OwnedBatch>`
    update batches set cancelled_at = coalesce(cancelled_at, now())
    where id = ${batchId} and account_id = ${accountId} and (not ${free} or (test and total_micros = 0))
    returning account_id as "accountId", created_at::text as "createdAt"`.execute(db);
  return rows[0];
};

export const findCancelledBatch = async (db: Db, batchId: BatchId): Promise<OwnedBatch | undefined> => {
  const { rows } = await sql<OwnedBatch>`
    select account_id as "accountId", created_at::text as "createdAt" from batches
    where id = ${batchId} and cancelled_at is not null`.execute(db);
  return rows[0];
};

/** How many messages of a batch are cancelled, and how many still wait. */
export const countCancelled = async (db: Db, batchId: BatchId, { accountId, createdAt }: OwnedBatch) => {
  const { rows } = await sql<{ cancelled: number; waiting: number }>`
    select count(*) filter (where status = 'CANCELLED')::int as cancelled,
      count(*) filter (where status = 'PENDING')::int as waiting
    from messages where account_id = ${accountId} and created_at = ${createdAt}::timestamptz
      and batch_id = ${batchId}`.execute(db);
  return rows[0] ?? { cancelled: 0, waiting: 0 };
};
