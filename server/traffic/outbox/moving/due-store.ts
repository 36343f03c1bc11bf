import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { type ChunkId, isChunk, scheduledLane } from '../waiting/chunk-store.ts';

/** The last chunk that was seen. The time as PostgreSQL writes it, to the microsecond. */
export interface DuePlace {
  due: string;
  chunkId: ChunkId;
}

export interface DueMessage extends DuePlace {
  accountId: AccountId;
  channel: Channel;
  test: boolean;
  /** Null if nothing in the chunk waits any more. */
  id: MessageId | null;
  country: string;
  /** Null if the id is null. */
  recipient: string | null;
  from: string | null;
  segments: number;
  /** A WhatsApp message that is no template. */
  isFreeText: boolean;
}

/** Scheduled messages that are due, of up to so many chunks after the given one, the first due first. Locks the chunks. */
export const lockDueMessages = async (
  trx: Db,
  { after, chunks }: { after: DuePlace | undefined; chunks: number },
): Promise<DueMessage[]> => {
  const later = after
    ? sql`and (l.due, l.id) > (${after.due}::timestamptz, ${after.chunkId}::bigint)`
    : sql``;
  const { rows } = await sql<DueMessage>`
    with due as materialized (
      select l.due, l.id, l.account_id, l.created_at, l.ids, l.batch_id from outbox_chunks l
      where l.lane_id = ${scheduledLane} and l.due <= now() ${later} order by l.due, l.id limit ${chunks} for update skip locked
    )
    select due.due::text, due.id::text as "chunkId", due.account_id as "accountId", b.channel, b.test, m.id, m.country,
      m.recipient, m.sender as "from", m.segment as segments,
      b.channel = 'whatsapp' and m.content -> 'template' is null as "isFreeText"
    from due join batches b on b.id = due.batch_id
    cross join unnest(due.ids) with ordinality as one (id, place)
    left join messages m on m.id = one.id and m.created_at = due.created_at and m.status = 'PENDING'
    order by due.due, due.id, one.place`.execute(trx);
  return rows;
};

/** A due message with its lane; without one it stays where it is. */
export interface RoutedDue {
  chunkId: ChunkId;
  id: MessageId | null;
  laneId: number | null;
  laneWhy: string | null;
  costMicros: bigint;
}

/** Puts messages of locked chunks into chunks of their lanes; returns the lane of each. */
export const routeDue = async (trx: Db, messages: RoutedDue[]): Promise<number[]> => {
  const { rows } = await sql<{ laneId: number }>`
    with given as materialized (
      select * from unnest(${messages.map(({ chunkId }) => chunkId)}::bigint[], ${messages.map(({ id }) => id)}::uuid[],
        ${messages.map(({ laneId }) => laneId)}::int[], ${messages.map(({ laneWhy }) => laneWhy)}::text[],
        ${messages.map(({ costMicros }) => costMicros)}::bigint[])
        with ordinality as given (chunk_id, id, lane_id, why, cost, place)
    ), found as materialized (
      select l.* from outbox_chunks l where l.lane_id = ${scheduledLane} and l.due <= now()
        and l.id = any(${[...new Set(messages.map(({ chunkId }) => chunkId))]}::bigint[])
    ), gone as (
      delete from outbox_chunks l using found p where ${isChunk}
    ), put as (
      insert into outbox_chunks (lane_id, priority, account_id, due, batch_id, created_at, expires_at, tried_lanes, ids)
      select coalesce(given.lane_id, ${scheduledLane}), p.priority, p.account_id, p.due, p.batch_id, p.created_at, p.expires_at,
        p.tried_lanes, array_agg(given.id order by given.place)
      from found p join given on given.chunk_id = p.id and given.id is not null
      group by coalesce(given.lane_id, ${scheduledLane}), p.priority, p.account_id, p.due, p.id, p.batch_id, p.created_at, p.expires_at,
        p.tried_lanes
    )
    update messages m set lane_id = given.lane_id, lane_why = given.why, cost_micros = given.cost,
      not_before = m.scheduled_at,
      carrier = coalesce(m.carrier, (select coalesce(nullif(carrier, ''), aliases[1]) from lanes where id = given.lane_id))
    from given join found p on p.id = given.chunk_id
    where given.lane_id is not null and m.created_at = p.created_at and m.id = given.id and m.status = 'PENDING'
    returning m.lane_id as "laneId"`.execute(trx);
  return rows.map(({ laneId }) => laneId);
};
