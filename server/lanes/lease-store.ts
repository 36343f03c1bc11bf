import { sql } from 'kysely';
import type { Db } from '../postgres/index.ts';
import { LANES_CHANNEL } from './wake-store.ts';

interface Lease {
  laneId: number;
  /** A new one each time a lease is taken. */
  holder: string;
  leaseMs: number;
}

export const takeLease = async (db: Db, { laneId, holder, leaseMs }: Lease): Promise<boolean> => {
  const { rows } = await sql`
    update lanes set leased_by = ${holder}, leased_until = clock_timestamp() + ${leaseMs} * interval '1 ms'
    where id = ${laneId} and (leased_by is null or leased_until < clock_timestamp()) returning id`.execute(
    db,
  );
  return rows.length > 0;
};

/** An expired lease is renewed too, as long as nobody else has taken the lane. */
export const renewLease = async (db: Db, { laneId, holder, leaseMs }: Lease): Promise<boolean> => {
  const { rows } = await sql`
    update lanes set leased_until = clock_timestamp() + ${leaseMs} * interval '1 ms'
    where id = ${laneId} and leased_by = ${holder} returning id`.execute(db);
  return rows.length > 0;
};

/** Releases the lane and wakes workers that wait for it. */
export const releaseLease = async (db: Db, { laneId, holder }: Omit<Lease, 'leaseMs'>): Promise<void> => {
  await sql`with released as (
      update lanes set leased_by = null, leased_until = null
      where id = ${laneId} and leased_by = ${holder} returning id
    ) select pg_notify(${LANES_CHANNEL}, id::text) from released`.execute(db);
};

/** Unless the lane has another holder by now: then our state is outdated. */
export const storeLaneState = async (
  db: Db,
  { laneId, holder, up, reason }: { laneId: number; holder: string; up: boolean; reason: string },
): Promise<void> => {
  await sql`update lanes set up = ${up}, state_reason = ${reason}, state_at = now(),
      down_since = case when not ${up}::boolean then coalesce(down_since, now()) end
    where id = ${laneId} and (leased_by is null or leased_by = ${holder})`.execute(db);
};

/** Whether the lane currently defers everything. */
export const storeRejecting = async (
  db: Db,
  { laneId, holder, rejecting }: { laneId: number; holder: string; rejecting: boolean },
): Promise<void> => {
  await sql`update lanes
    set rejecting_since = case when ${rejecting}::boolean then coalesce(rejecting_since, now()) end
    where id = ${laneId} and leased_by = ${holder}`.execute(db);
};
