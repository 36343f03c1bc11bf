import { wakeLanes } from '../lanes/index.ts';
import type { Db } from '../postgres/index.ts';
import type { Claimed } from './claimed-store.ts';
import { countWaiting, type Failover, lockLane, moveRefused, moveWaiting } from './failover-store.ts';

/** A message that a lane has deferred this often moves to another: some three seconds after the first time. */
const ATTEMPTS_A_LANE = 3;
const PORTION = 1_000;
/**
 * Files are moved until this many messages wait in the lane that takes over; the rest stays for when its own lane
 * recovers.
 */
const MOST_AHEAD = 5_000;
/** With less room, files wait: they would be moved in tiny portions. */
const LEAST_ROOM = 500;
const SINGLES = 0;
const ANY_PRIORITY = 32_767;

/**
 * Within the transaction that defers them, before they wait again: messages that were deferred too often move to the
 * next lane.
 */
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
