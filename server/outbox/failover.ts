import { wakeLanes } from '../lanes/index.ts';
import type { Db } from '../postgres/index.ts';
import type { Claimed } from './claimed-store.ts';
import { countWaiting, type Failover, lockLane, moveRefused, moveWaiting } from './failover-store.ts';

/** A message that a lane has put off so often goes elsewhere: some three seconds after the first time. */
export const ATTEMPTS_A_LANE = 3;
const PORTION = 1_000;
/** A lane that takes over gets no more from files than this ahead: the rest goes home when its lane is well again. */
const MOST_AHEAD = 5_000;
/** Below so much room files wait: they would be moved in crumbs. */
const LEAST_ROOM = 500;
const SINGLES = 0;
const ANY_PRIORITY = 32_767;

/** Within the transaction that puts them off, before they wait: what was put off too often goes to the next lane. */
export const failOverRefused = async (trx: Db, laneId: number, putOff: Claimed[]): Promise<void> => {
  const messages = putOff.filter(({ attempts }) => attempts >= ATTEMPTS_A_LANE);
  if (messages.length === 0) return;
  const woken = await moveRefused(trx, { laneId, messages, attempts: ATTEMPTS_A_LANE });
  if (woken.length > 0) await wakeLanes(trx, woken);
};

const movePortion = async (trx: Db, failover: Failover): Promise<number> => {
  const room = MOST_AHEAD - (await countWaiting(trx, failover.to, MOST_AHEAD));
  const moved = await moveWaiting(
    trx,
    room >= LEAST_ROOM
      ? { ...failover, limit: Math.min(PORTION, room), maxPriority: ANY_PRIORITY }
      : { ...failover, limit: PORTION, maxPriority: SINGLES },
  );
  if (moved > 0) await wakeLanes(trx, [failover.to]);
  return moved;
};

export interface Moved extends Failover {
  count: number;
}

/**
 * Moves a portion of what waits in one lane to the first of these that takes some. One worker at a time: another one
 * would find the same chunks taken, and think that the preferred lane wants none.
 */
export const moveFrom = (db: Db, from: number, failovers: Failover[]): Promise<Moved | 'stuck' | undefined> =>
  db.transaction().execute(async (trx) => {
    if (!(await lockLane(trx, from))) return undefined;
    for (const failover of failovers) {
      const count = await movePortion(trx, failover);
      if (count > 0) return { ...failover, count };
    }
    return (await countWaiting(trx, from, 1)) > 0 ? 'stuck' : undefined;
  });
