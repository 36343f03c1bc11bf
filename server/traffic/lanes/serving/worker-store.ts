import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../../ground/postgres/index.ts';
import { LANES_CHANGED, LANES_CHANNEL } from './wake-store.ts';

/** A process that serves lanes. */
export interface Worker {
  /** A new one for each process. */
  id: string;
  /** The operator's name for it; the next process of this name follows it. */
  name: string;
  /** It serves the lanes of this place, besides those of no place. */
  place: string;
}

export const newWorker = (name: string, place = ''): Worker => ({ id: randomUUID(), name, place });

/** Of the worker `w`. */
export const IS_ALIVE = sql`w.leased_until > clock_timestamp()`;

interface Renewal extends Worker {
  leaseMs: number;
  /** It takes lanes, and others leave it its share. */
  serving: boolean;
  /** All that it hands to carriers is in its journal. */
  journaled?: boolean;
  /** The lanes of its settings. */
  laneIds: number[];
}

/** Stores the worker and which lanes its settings name, or extends its lease. */
export const renewWorker = async (
  db: Db,
  { id, name, place, leaseMs, serving, journaled = false, laneIds }: Renewal,
): Promise<void> => {
  const { rows } = await sql<{ isNew: boolean }>`
    insert into workers (id, name, place, leased_until, serving, journaled)
    values (${id}, ${name}, ${place}, clock_timestamp() + ${leaseMs} * interval '1 ms', ${serving}, ${journaled})
    on conflict (id) do update set leased_until = excluded.leased_until, serving = excluded.serving,
      journaled = excluded.journaled
    returning xmax = 0 as "isNew"`.execute(db);
  if (!rows[0]?.isNew) return;
  await sql`insert into lane_settings (lane_id, worker_id)
    select id, ${id} from unnest(${laneIds}::int[]) as id on conflict do nothing`.execute(db);
};

/** The lanes that a worker holds by what the database says, each with its holder. */
export const readHeldLanes = async (db: Db, workerId: string): Promise<Map<number, string>> => {
  const { rows } = await sql<{ laneId: number; holder: string }>`
    select id as "laneId", leased_by as holder from lanes
    where worker_id = ${workerId} and leased_by is not null`.execute(db);
  return new Map(rows.map(({ laneId, holder }) => [laneId, holder]));
};

/** Whether a worker's journal is complete, by what it stored last. */
export const isJournaled = async (db: Db, workerId: string): Promise<boolean> => {
  const { rows } = await sql<{ journaled: boolean }>`
    select journaled from workers where id = ${workerId}`.execute(db);
  return rows[0]?.journaled ?? false;
};

/** The worker stops or is gone: its lanes are free for others. Its settings still count, until the next one of its name starts. */
export const endWorker = async (db: Db, id: string): Promise<void> => {
  await sql`
    with ended as (update workers set leased_until = least(leased_until, clock_timestamp())
      where id = ${id} returning id)
    select pg_notify(${LANES_CHANNEL}, ${LANES_CHANGED}) from ended`.execute(db);
};

/**
 * Forgets workers that ended: those that one of the same name has followed, and after a day all. A lane that is in
 * nobody's settings then is removed; its messages go by other lanes.
 */
export const sweepWorkers = async (db: Db): Promise<void> => {
  await sql`
    delete from workers dead where dead.leased_until < clock_timestamp() and (
      dead.leased_until < now() - interval '1 day'
      or exists (select from workers w where w.name = dead.name and ${IS_ALIVE}))`.execute(db);
  await sql`
    update lanes set mode = 'removed', down_since = coalesce(down_since, now()), rejecting_since = null
    where source = 'settings' and mode <> 'removed'
      and not exists (select from lane_settings s where s.lane_id = lanes.id)`.execute(db);
};

/** A lane that nobody has served for some time is down: what waits in it may go by another. */
export const markUnserved = async (db: Db, afterMs: number): Promise<void> => {
  await sql`
    update lanes set up = false, down_since = coalesce(down_since, now()), rejecting_since = null,
      state_reason = 'No worker that can reach it is running.', state_at = now()
    where mode in ('on', 'draining') and up is distinct from false
      and coalesce((select w.leased_until from workers w where w.id = lanes.worker_id), released_at, now())
        < clock_timestamp() - ${afterMs} * interval '1 ms'`.execute(db);
};
