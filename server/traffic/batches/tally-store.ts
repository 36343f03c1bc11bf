import { sql } from 'kysely';
import type { BatchId } from '../../../contract/traffic/messages.ts';
import type { Db } from '../../ground/postgres/index.ts';

/** How a batch stood at a moment. */
export interface Tally {
  batchId: BatchId;
  countedAt: Date;
  pending: number;
  success: number;
  failed: number;
  unknown: number;
  cancelled: number;
  delivered: number;
  costMicros: bigint;
  /** Until what waits is sent. */
  secondsLeft: number | null;
}

/** Fewer messages, or a shorter time, say nothing about the pace, nor does one at which nothing moves any more. */
const ENOUGH_MESSAGES = 20;
const ENOUGH_SECONDS = 3;
const WINDOW_SECONDS = 60;
const STILL_SECONDS = 10;

/** Messages that a carrier or a device took or refused, and when. */
const HAS_ENDED = sql`m.status not in ('PENDING', 'CANCELLED')`;
const ENDED_AT = sql`coalesce(m.sent_at, m.updated_at)`;

/**
 * One by one, by the account and moment that the messages of a batch share, which select the partition and the index.
 * The pace is that of the last minute, or of the time since the first one ended; what is unknown waits for a receipt only.
 */
export const countBatches = async (db: Db, batchIds: BatchId[]): Promise<Tally[]> => {
  const { rows } = await sql<Tally>`
    select id as "batchId", now() as "countedAt", pending, success, failed, unknown, cancelled, delivered,
      cost_micros as "costMicros",
      case when waiting > 0 and recent >= ${ENOUGH_MESSAGES} and seconds >= ${ENOUGH_SECONDS}
        and still < ${STILL_SECONDS} then ceil(waiting * seconds / recent)::int end as "secondsLeft"
    from (
      select b.id, m.* from batches b cross join lateral (
        -- For each by itself: joined, the planner would read all messages for a page of small batches.
        select count(*) filter (where m.status = 'PENDING')::int as pending,
        count(*) filter (where m.status = 'SUCCESS')::int as success,
        count(*) filter (where m.status = 'FAILED')::int as failed,
        count(*) filter (where m.status = 'FAILED_WITH_EXCEPTION')::int as unknown,
        count(*) filter (where m.status = 'CANCELLED')::int as cancelled,
        count(*) filter (where m.status = 'SUCCESS' and m.delivered_at is not null)::int as delivered,
        coalesce(sum(m.price_micros) filter (where m.status not in ('FAILED', 'CANCELLED')), 0)::bigint as cost_micros,
        count(*) filter (where ${HAS_ENDED} and ${ENDED_AT} > now() - make_interval(secs => ${WINDOW_SECONDS}))::float8
          as recent,
        count(*) filter (where m.status = 'PENDING' and m.unknown_since is null)::float8 as waiting,
        least(${WINDOW_SECONDS}, extract(epoch from now() - min(${ENDED_AT}) filter (where ${HAS_ENDED})))::float8
          as seconds,
        extract(epoch from now() - max(${ENDED_AT}) filter (where ${HAS_ENDED})) as still
        from messages m
        where m.account_id = b.account_id and m.created_at = b.created_at and m.batch_id = b.id
      ) m
      where b.id = any(${batchIds}::uuid[])
    ) counted`.execute(db);
  return rows;
};

export const readTallies = async (db: Db, batchIds: BatchId[]): Promise<Tally[]> => {
  const { rows } = await sql<Tally>`
    select batch_id as "batchId", counted_at as "countedAt", pending, success, failed, unknown, cancelled, delivered,
      cost_micros as "costMicros", seconds_left as "secondsLeft"
    from batch_tallies where batch_id = any(${batchIds}::uuid[])`.execute(db);
  return rows;
};

export const storeTally = async (db: Db, tally: Tally): Promise<void> => {
  await sql`
    insert into batch_tallies (batch_id, pending, success, failed, unknown, cancelled, delivered, cost_micros,
      seconds_left)
    values (${tally.batchId}, ${tally.pending}, ${tally.success}, ${tally.failed}, ${tally.unknown},
      ${tally.cancelled}, ${tally.delivered}, ${tally.costMicros}, ${tally.secondsLeft})
    on conflict (batch_id) do update set counted_at = now(), pending = excluded.pending, success = excluded.success,
      failed = excluded.failed, unknown = excluded.unknown, cancelled = excluded.cancelled,
      delivered = excluded.delivered, cost_micros = excluded.cost_micros, seconds_left = excluded.seconds_left`.execute(
    db,
  );
};

/** While something of a file waits it changes all the time; after that receipts arrive for some days. */
const MOVING_SECONDS = 50;
const SETTLING_SECONDS = 600;
const SETTLING_DAYS = 3;

/** Large files whose tally is missing or old, the newest first. */
export const listDueTallies = async (
  db: Db,
  { above, limit }: { above: number; limit: number },
): Promise<BatchId[]> => {
  const { rows } = await sql<{ id: BatchId }>`
    select b.id from batches b left join batch_tallies t on t.batch_id = b.id
    where b.kind = 'CSV' and b.accepted > ${above} and (
      t.batch_id is null
      or (t.pending > 0 and (b.scheduled_at is null or b.scheduled_at <= now() or b.cancelled_at is not null)
        and t.counted_at < now() - make_interval(secs => ${MOVING_SECONDS}))
      or (coalesce(b.scheduled_at, b.created_at) > now() - make_interval(days => ${SETTLING_DAYS})
        and coalesce(b.scheduled_at, b.created_at) <= now()
        and t.counted_at < now() - make_interval(secs => ${SETTLING_SECONDS})))
    order by b.created_at desc, b.id desc limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
};
