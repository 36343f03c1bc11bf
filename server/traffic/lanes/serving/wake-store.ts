import { sql } from 'kysely';
import type { Db } from '../../../ground/postgres/index.ts';

/** Its notifications carry the id of a lane that has something to do, and whether it is only singles. */
export const LANES_CHANNEL = 'posthorn_lanes';
const SINGLES = ' singles';
/** Or this: lanes were made, changed, released or removed. */
export const LANES_CHANGED = 'changed';

export type LaneNotice = { changed: true } | { changed: false; laneId: number; singles: boolean };

export const readLaneNotice = (notice: string): LaneNotice =>
  notice === LANES_CHANGED
    ? { changed: true }
    : {
        changed: false,
        laneId: Number(notice.replace(SINGLES, '')),
        singles: notice.endsWith(SINGLES),
      };

/** Sends a wake signal to the workers that serve these lanes, when the given transaction commits. */
export const wakeLanes = async (db: Db, laneIds: number[], { singles = false } = {}): Promise<void> => {
  await sql`select pg_notify(${LANES_CHANNEL}, id || ${singles ? SINGLES : ''})
    from unnest(${laneIds}::int[]) as id`.execute(db);
};

/** Lets every worker look at the lanes again, when the given transaction commits. */
export const announceLanes = async (db: Db): Promise<void> => {
  await sql`select pg_notify(${LANES_CHANNEL}, ${LANES_CHANGED})`.execute(db);
};
