import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { BatchId, MessageId } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';

/** The lane of what has none yet, as before the time that it is scheduled for. */
export const SCHEDULED_LANE = 0;
/** When something is due that is held, because its account is suspended: never, as PostgreSQL writes it. */
export const HELD = 'infinity';
/** The largest priority that there can be: up to it, all are meant. */
export const ANY_PRIORITY = 32_767;

/** Written out, because indexes have such conditions. */
export const scheduledLane = sql.lit(SCHEDULED_LANE);
export const suspended = sql`timestamptz ${sql.lit(HELD)}`;

/** The condition that `l` is the same chunk as `p`. */
export const isChunk = sql`l.lane_id = p.lane_id and l.priority = p.priority and l.account_id = p.account_id
  and l.due = p.due and l.id = p.id`;

/** Of `picked`, chunks that are locked, the first `taken` messages leave their chunk: those chunks are `held`. */
export const takingPicked = sql`
    held as materialized (
      select p.* from picked p where outbox_take(p.lane_id, p.priority, p.account_id, p.due, p.id, p.taken)
    )`;

/**
 * Of `given (lane_id, priority, account_id, due, id, message_id)`, messages in chunks that are locked: these leave their
 * chunks, which are then `parted`, with what all messages of a chunk have in common.
 */
export const partingGiven = sql`
    parted as materialized (
      select p.*, l.batch_id, l.created_at, l.expires_at, l.tried_lanes, (
          select array_agg(one.id order by one.place) from unnest(l.ids) with ordinality as one (id, place)
          where one.id <> all(p.out_ids)) as left_ids
      from (
        select lane_id, priority, account_id, due, id, array_agg(message_id) as out_ids from given
        group by lane_id, priority, account_id, due, id
      ) p join outbox_chunks l on ${isChunk}
    ), gone as (
      delete from outbox_chunks l using parted p where ${isChunk} and p.left_ids is null
    ), kept as (
      update outbox_chunks l set ids = p.left_ids from parted p where ${isChunk} and p.left_ids is not null
    )`;

/** An account's chunks, wherever they are: each a short look into the index. */
export const ofAccount = (accountId: AccountId): RawBuilder<unknown> =>
  sql`outbox_chunks.lane_id = any(array(select id from lanes union all select ${scheduledLane})) and outbox_chunks.priority = any('{0,1}')
    and outbox_chunks.account_id = ${accountId}`;

/** As PostgreSQL writes it. */
export type ChunkId = string;

/** Some of the chunks that match a condition, the last to be sent first: so the next to be sent is met last. */
const listChunks = async (
  db: Db,
  which: RawBuilder<unknown>,
  limit: number,
): Promise<{ id: ChunkId; accountId: AccountId }[]> => {
  const { rows } = await sql<{ id: ChunkId; accountId: AccountId }>`
    select id::text, account_id as "accountId" from outbox_chunks where ${which}
    order by due desc, outbox_chunks.id desc limit ${limit}`.execute(db);
  return rows;
};

export const listChunksOfBatch = (
  db: Db,
  { accountId, batchId, limit }: { accountId: AccountId; batchId: BatchId; limit: number },
) => listChunks(db, sql`${ofAccount(accountId)} and batch_id = ${batchId}`, limit);

export const listChunksOfAccount = (db: Db, accountId: AccountId, limit: number) =>
  listChunks(db, ofAccount(accountId), limit);

/** Chunks whose messages are too late to be worth sending. */
export const listExpiredChunks = (db: Db, limit: number) => listChunks(db, sql`expires_at <= now()`, limit);

/** Messages of an account that wait for one of these recipients, each with its chunk. An email's case does not count. */
export const listWaitingFor = async (
  db: Db,
  {
    accountId,
    channel,
    recipients,
    limit,
  }: { accountId: AccountId; channel: Channel; recipients: string[]; limit: number },
): Promise<{ id: MessageId; chunkId: ChunkId }[]> => {
  const recipient = channel === 'email' ? sql`lower(m.recipient)` : sql`m.recipient`;
  const { rows } = await sql<{ id: MessageId; chunkId: ChunkId }>`
    select m.id, outbox_chunks.id::text as "chunkId" from outbox_chunks cross join unnest(ids) as one (id)
    join messages m on m.id = one.id and m.created_at = outbox_chunks.created_at
    where ${ofAccount(accountId)} and m.channel = ${channel} and ${recipient} = any(${recipients}::text[])
    limit ${limit}`.execute(db);
  return rows;
};

/** Where a message waits, if it does. */
export const findChunk = async (
  db: Db,
  { accountId, messageId }: { accountId: AccountId; messageId: MessageId },
): Promise<ChunkId | undefined> => {
  const { rows } = await sql<{ id: ChunkId }>`
    select outbox_chunks.id::text from messages m join outbox_chunks on outbox_chunks.created_at = m.created_at and m.id = any(outbox_chunks.ids)
    where m.id = ${messageId} and ${ofAccount(accountId)}`.execute(db);
  return rows[0]?.id;
};

/** Puts messages into chunks, by what their rows say now; those that are no longer PENDING stay out. */
export const putIntoChunks = async (db: Db, messages: { id: string; createdAt: string }[]): Promise<void> => {
  if (messages.length === 0) return;
  await sql`select outbox_wait_again(${messages.map(({ id }) => id)}::uuid[],
    ${messages.map(({ createdAt }) => createdAt)}::timestamptz[])`.execute(db);
};

/** Thousands of rows a second leave these two tables, and dead rows slow every query down until they are vacuumed. */
export const clearGone = async (db: Db): Promise<void> => {
  await sql`vacuum (skip_locked, truncate off) outbox_chunks, claims`.execute(db);
};

/**
 * How many messages wait in each of these lanes, up to a limit. What is held because its account is suspended is no load
 * of a lane; people who look at the lane see it.
 */
export const countWaitingIn = async (
  db: Db,
  laneIds: number[],
  limit: number,
  options = { suspended: false },
): Promise<Map<number, number>> => {
  const { rows } = await sql<{ id: number; count: number }>`
    select lane.id, least(${limit}, coalesce(sum(size), 0))::int as count from unnest(${laneIds}::int[]) as lane (id)
    left join lateral (
      select cardinality(ids) as size from outbox_chunks
      where lane_id = lane.id ${options.suspended ? sql`` : sql`and due < ${suspended}`} limit ${limit}
    ) waiting on true group by lane.id`.execute(db);
  return new Map(rows.map(({ id, count }) => [id, count]));
};

/** Which of these lanes have something to send now. */
export const findLanesWithWork = async (db: Db, laneIds: number[]): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${laneIds}::int[]) as lane (id) where exists (
      select from outbox_chunks where lane_id = lane.id and due <= now() and (expires_at is null or expires_at > now()))`.execute(
    db,
  );
  return rows.map(({ id }) => id);
};
