import { sql } from 'kysely';
import type { Db } from '../postgres/index.ts';
import { isChunk, takingPicked } from './chunk-store.ts';
import type { Claimed } from './claimed-store.ts';

/** Why a message left a lane, as its route shows. */
type Why = 'REFUSED' | 'LANE_DOWN' | 'LANE_REJECTING' | 'LANE_REMOVED';

/** A lane can take over only if all of these are true. A simulator takes over from simulators only. */
const takesOver = sql`next.route = here.route and next.route <> '' and next.channel = here.channel
  and next.simulated = here.simulated and next.id <> here.id and next.mode = 'on' and next.up and next.rejecting_since is null`;

/** A step of a message's route, with the lane it left: people read it later. */
const step = (why: unknown) => sql`tried_lanes = m.tried_lanes || m.lane_id, attempts_before = m.attempts,
  updated_at = now(), route = coalesce(m.route, '[]') || jsonb_build_array(jsonb_build_object('at', now(),
    'from', m.lane_id, 'to', picked.next_id, 'why', ${why}::text, 'code', m.error_code))`;

/**
 * Moves those of the given messages that this lane has deferred too often to the next lane that they have not been in;
 * they stay if there is none. They are not claimed, and not in a chunk yet. Returns the lanes that get some.
 */
export const moveRefused = async (
  db: Db,
  { laneId, messages, attempts }: { laneId: number; messages: Claimed[]; attempts: number },
): Promise<number[]> => {
  const { rows } = await sql<{ laneId: number }>`
    with picked as (
      select m.id, m.created_at, next.id as next_id
      from unnest(${messages.map(({ id }) => id)}::uuid[],
        ${messages.map(({ createdAt }) => createdAt)}::timestamptz[]) as given (id, created_at)
      join messages m on m.id = given.id and m.created_at = given.created_at
      join lanes here on here.id = m.lane_id
      cross join lateral (
        select next.id from lanes next where ${takesOver} and next.id <> all(m.tried_lanes)
        order by next.preference, next.id limit 1
      ) next
      where m.lane_id = ${laneId} and m.attempts - m.attempts_before >= ${attempts}
      for update of m
    ), moved as (
      update messages m set lane_id = picked.next_id, not_before = null, ${step('REFUSED')}
      from picked where m.id = picked.id and m.created_at = picked.created_at
      returning m.lane_id
    )
    select distinct lane_id as "laneId" from moved`.execute(db);
  return rows.map((row) => row.laneId);
};

export interface Failover {
  from: number;
  to: number;
  why: Why;
}

/** For each lane that has been in trouble for this long, the lanes that could take over, the preferred first. */
export const findFailovers = async (db: Db, afterMs: number): Promise<Failover[]> => {
  const { rows } = await sql<Failover>`
    select here.id as "from", next.id as "to",
      case when here.mode = 'removed' then 'LANE_REMOVED' when here.up is false then 'LANE_DOWN'
        else 'LANE_REJECTING' end as why
    from lanes here join lanes next on ${takesOver}
    where least(here.down_since, here.rejecting_since) <= now() - ${afterMs} * interval '1 ms'
    order by here.id, next.preference, next.id`.execute(db);
  return rows;
};

/** Whether this transaction is now the only one that moves what waits in this lane. */
export const lockLane = async (trx: Db, laneId: number): Promise<boolean> => {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('failover', ${laneId})) as taken`.execute(trx);
  return rows[0]?.taken ?? false;
};

/** Counts what waits in a lane, but not far beyond the limit: the caller only needs to know whether there is room. */
export const countWaiting = async (db: Db, laneId: number, limit: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(size), 0)::int as count from (
      select cardinality(ids) as size from outbox_chunks where lane_id = ${laneId} and due <= now() limit ${limit}
    ) waiting`.execute(db);
  return rows[0]?.count ?? 0;
};

/** Moves what is due in one lane to another, unless a message has been there; returns how many. */
export const moveWaiting = async (
  db: Db,
  { from, to, why, limit, maxPriority }: Failover & { limit: number; maxPriority: number },
): Promise<number> => {
  const { numAffectedRows } = await sql`
    with found as materialized (
      select lane_id, priority, account_id, due, id, cardinality(ids) as size from outbox_chunks
      where lane_id = ${from} and priority <= ${maxPriority} and due <= now() and ${to} <> all(tried_lanes)
        -- It may have recovered since it was found to be in trouble.
        and exists (select from lanes where id = ${from} and (down_since is not null or rejecting_since is not null))
      order by priority limit ${limit}
    ), cut as (
      select *, ${limit} - sum(size) over (
        order by priority, account_id, due, id rows unbounded preceding) + size as room from found
    ), picked as materialized (
      select l.*, least(cardinality(l.ids), p.room)::int as taken, ${to}::int as next_id
      from (select * from cut where room > 0) p
      cross join lateral (select * from outbox_chunks l where ${isChunk} limit 1 for update skip locked) l
    ), ${takingPicked}, moved as (
      insert into outbox_chunks (lane_id, priority, account_id, due, batch_id, created_at, expires_at, tried_lanes, ids)
      select next_id, priority, account_id, due, batch_id, created_at, expires_at, tried_lanes || lane_id,
        ids[: taken] from held
    )
    update messages m set lane_id = picked.next_id, ${step(why)}
    from held picked where m.created_at = picked.created_at and m.id = any(picked.ids[: picked.taken])
      and m.status = 'PENDING'`.execute(db);
  return Number(numAffectedRows ?? 0n);
};
