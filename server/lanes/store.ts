import { sql } from 'kysely';
import type { Channel } from '../../contract/messages.ts';
import type { Db } from '../postgres/index.ts';

interface LanesTable {
  id: number;
  channel: Channel;
  carrier: string;
  simulated: boolean;
  active: boolean;
  preference: number;
  up: boolean | null;
  session_hours: number | null;
}
type Tables = { lanes: LanesTable };

/** The lanes in use, the preferred first. */
export const readLanes = (db: Db) =>
  db
    .withTables<Tables>()
    .selectFrom('lanes')
    .select(['id', 'channel', 'carrier', 'simulated', 'up', 'session_hours as sessionHours'])
    .where('active', '=', true)
    .orderBy('preference')
    .orderBy('id')
    .execute();

/** Active or not: its messages can still be found. */
export const listLanes = async (db: Db) => {
  const { rows } = await sql<{ name: string; channel: Channel; provider: string; carrierName: string }>`
    select name, channel, provider, carrier as "carrierName" from lanes order by name limit 1000`.execute(db);
  return rows;
};

/** By the filters of an admin; a filter that is not set matches all. */
export const findLaneIds = async (
  db: Db,
  filter: {
    carriers: string[];
    provider: string | undefined;
    name: string | undefined;
    method: string | undefined;
  },
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select id from lanes
    where (${filter.carriers.length} = 0 or carrier = any(${filter.carriers}::text[]))
      and (${filter.provider ?? ''} in ('', provider)) and (${filter.name ?? ''} in ('', name))
      and (${filter.method ?? ''} in ('', provider))`.execute(db);
  return rows.map(({ id }) => id);
};

/** A lane for the choice when sending. */
export type LaneInUse = Awaited<ReturnType<typeof readLanes>>[number];

export const findLane = async (
  db: Db,
  name: string,
): Promise<{ id: number; name: string; channel: Channel } | undefined> => {
  const { rows } = await sql<{ id: number; name: string; channel: Channel }>`
    select id, name, channel from lanes where name = ${name}`.execute(db);
  return rows[0];
};
