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
export type Lane = Awaited<ReturnType<typeof readLanes>>[number];
