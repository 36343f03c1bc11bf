import { sql } from 'kysely';
import type { Channel } from '../../contract/messages.ts';
import type { Db } from '../postgres/index.ts';
import { syncRoutes } from './route-store.ts';

/** Notices on it carry the id of a lane that has something to do, and whether it is nothing but singles. */
export const LANES_CHANNEL = 'posthorn_lanes';
const SINGLES = ' singles';

export const readNotice = (notice: string): { laneId: string; singles: boolean } => ({
  laneId: notice.replace(SINGLES, ''),
  singles: notice.endsWith(SINGLES),
});

/** A lane as the settings describe it. */
export interface LaneSettings {
  name: string;
  channel: Channel;
  provider: string;
  simulated: boolean;
  /** Lower is preferred. */
  preference: number;
  /** Within so many hours of what a customer last wrote one may write freely to them; always if not given. */
  sessionHours?: number | undefined;
  /** The WhatsApp Business Account that it belongs to. */
  waba?: string | undefined;
  /** Lanes of one route take over from each other; a lane without one keeps its messages. */
  route?: string | undefined;
}

/** Makes the table say what the settings say. A lane that they no longer name stays, inactive. */
export const syncLanes = async (db: Db, lanes: LaneSettings[]): Promise<Map<string, number>> => {
  const sorted = lanes.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const names = sorted.map(({ name }) => name);
  return db.transaction().execute(async (trx) => {
    await sql`insert into lanes (name, channel, provider, simulated, preference, session_hours, waba)
      select * from unnest(${names}::text[], ${sorted.map(({ channel }) => channel)}::text[],
        ${sorted.map(({ provider }) => provider)}::text[], ${sorted.map(({ simulated }) => simulated)}::boolean[],
        ${sorted.map(({ preference }) => preference)}::int[],
        ${sorted.map(({ sessionHours }) => sessionHours ?? null)}::int[], ${sorted.map(({ waba }) => waba ?? '')}::text[])
      on conflict (name) do update set channel = excluded.channel, provider = excluded.provider,
        simulated = excluded.simulated, preference = excluded.preference, session_hours = excluded.session_hours,
        waba = excluded.waba, active = true`.execute(trx);
    await sql`update lanes set active = false where active and name <> all(${names}::text[])`.execute(trx);
    await syncRoutes(trx, sorted);
    const { rows } = await sql<{ id: number; name: string }>`
      select id, name from lanes where name = any(${names}::text[])`.execute(trx);
    return new Map(rows.map(({ id, name }) => [name, id]));
  });
};

export const findLane = async (
  db: Db,
  name: string,
): Promise<{ id: number; name: string; channel: Channel } | undefined> => {
  const { rows } = await sql<{ id: number; name: string; channel: Channel }>`
    select id, name, channel from lanes where name = ${name}`.execute(db);
  return rows[0];
};

/** Tells whoever serves these lanes, at the commit of the transaction given, that something waits. */
export const wakeLanes = async (db: Db, laneIds: number[], { singles = false } = {}): Promise<void> => {
  await sql`select pg_notify(${LANES_CHANNEL}, id || ${singles ? SINGLES : ''})
    from unnest(${laneIds}::int[]) as id`.execute(db);
};

export interface Lease {
  laneId: number;
  /** A new one each time a lane is taken. */
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

/** A lease that has run out is renewed too, as long as nobody else has taken the lane. */
export const renewLease = async (db: Db, { laneId, holder, leaseMs }: Lease): Promise<boolean> => {
  const { rows } = await sql`
    update lanes set leased_until = clock_timestamp() + ${leaseMs} * interval '1 ms'
    where id = ${laneId} and leased_by = ${holder} returning id`.execute(db);
  return rows.length > 0;
};

/** Gives the lane up and wakes whoever waits for it. */
export const releaseLease = async (db: Db, { laneId, holder }: Omit<Lease, 'leaseMs'>): Promise<void> => {
  await sql`with released as (
      update lanes set leased_by = null, leased_until = null
      where id = ${laneId} and leased_by = ${holder} returning id
    ) select pg_notify(${LANES_CHANNEL}, id::text) from released`.execute(db);
};

/** Unless another holder has the lane by now: what we know of it is old then. */
export const storeLaneState = async (
  db: Db,
  { laneId, holder, up, reason }: { laneId: number; holder: string; up: boolean; reason: string },
): Promise<void> => {
  await sql`update lanes set up = ${up}, state_reason = ${reason}, state_at = now(),
      down_since = case when not ${up}::boolean then coalesce(down_since, now()) end
    where id = ${laneId} and (leased_by is null or leased_by = ${holder})`.execute(db);
};
