import { sql } from 'kysely';
import type { Db } from '../../../ground/postgres/index.ts';
import { LANES_CHANGED, LANES_CHANNEL } from './wake-store.ts';
import { IS_ALIVE } from './worker-store.ts';

/** A lane in the hands of a worker. */
export interface Lease {
  laneId: number;
  /** A new one each time a lane is taken. */
  holder: string;
}

/**
 * Takes those that no other living worker holds; returns them. What the database says is ours and we don't serve was
 * taken by a statement whose answer was lost, or could not be given back.
 */
export const takeLeases = async (db: Db, workerId: string, leases: Lease[]): Promise<Lease[]> => {
  const { rows } = await sql<Lease>`
    with free as (
      select l.id, given.holder
      from unnest(${leases.map(({ laneId }) => laneId)}::int[], ${leases.map(({ holder }) => holder)}::uuid[])
        as given (id, holder) join lanes l on l.id = given.id
      where l.mode in ('on', 'draining')
        and not (l.leased_by is not null and exists (
          select from workers w where w.id = l.worker_id and w.id <> ${workerId} and ${IS_ALIVE}))
      order by l.id for update of l skip locked
    )
    update lanes l set worker_id = ${workerId}, leased_by = free.holder, released_at = null, rejecting_since = null,
      was_up = false
    from free where l.id = free.id
    returning l.id as "laneId", l.leased_by as holder`.execute(db);
  return rows;
};

/** Gives lanes back, and lets other workers know. */
export const releaseLeases = async (db: Db, leases: Lease[]): Promise<void> => {
  await sql`with released as (
      update lanes l set leased_by = null, worker_id = null, released_at = now()
      from unnest(${leases.map(({ laneId }) => laneId)}::int[], ${leases.map(({ holder }) => holder)}::uuid[])
        as given (id, holder)
      where l.id = given.id and l.leased_by = given.holder returning l.id
    ) select pg_notify(${LANES_CHANNEL}, ${LANES_CHANGED}) from released limit 1`.execute(db);
};

interface LaneState extends Lease {
  up: boolean;
  reason: string;
}

/** Unless a lane has another holder by now, or is paused: then our state is outdated. */
export const storeLaneStates = async (db: Db, states: LaneState[]): Promise<void> => {
  // The last state of a lane counts.
  const last = [...new Map(states.map((state) => [state.laneId, state])).values()];
  await sql`
    update lanes l set up = given.up, was_up = l.was_up or given.up, state_reason = given.reason, state_at = now(),
      down_since = case when not given.up then coalesce(l.down_since, now()) end
    from unnest(${last.map(({ laneId }) => laneId)}::int[], ${last.map(({ holder }) => holder)}::uuid[],
      ${last.map(({ up }) => up)}::boolean[], ${last.map(({ reason }) => reason)}::text[]) as given (id, holder, up, reason)
    where l.id = given.id and (l.leased_by is null or l.leased_by = given.holder)
      and l.mode in ('on', 'draining')`.execute(db);
};

/** Whether the lane currently defers everything. */
export const storeRejecting = async (
  db: Db,
  { laneId, holder, rejecting }: Lease & { rejecting: boolean },
): Promise<void> => {
  await sql`update lanes
    set rejecting_since = case when ${rejecting}::boolean then coalesce(rejecting_since, now()) end
    where id = ${laneId} and leased_by = ${holder}`.execute(db);
};

/** Whether this holder may claim now: a part of the outbox's statements. */
export const isHeldBy = ({ laneId, holder }: Lease) => sql`exists (
  select from lanes held join workers w on w.id = held.worker_id and w.leased_until > now()
  where held.id = ${laneId} and held.leased_by = ${holder})`;
