import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../postgres/index.ts';
import { countWaiting, type Diversion, findDiversions, moveRefused, moveWaiting } from './divert-store.ts';
import type { Claimed } from './hand-store.ts';
import type { DeliveryDeps } from './lane.ts';
import { wakeLanes } from './lane-store.ts';

/** A message that a lane has put off so often goes elsewhere: some three seconds after the first time. */
export const ATTEMPTS_A_LANE = 3;
const PORTION = 1_000;
/** A lane that takes over gets no more from files than this ahead: the rest goes home when its lane is well again. */
const MOST_AHEAD = 5_000;
const SINGLES = 0;
const ANY_PRIORITY = 32_767;
const LONGEST_REST = 15;

/** Within the transaction that puts them off, before they wait: what was put off too often goes to the next lane. */
export const divertRefused = async (trx: Db, laneId: number, putOff: Claimed[]): Promise<void> => {
  const messages = putOff.filter(({ attempts }) => attempts >= ATTEMPTS_A_LANE);
  if (messages.length === 0) return;
  const woken = await moveRefused(trx, { laneId, messages, attempts: ATTEMPTS_A_LANE });
  if (woken.length > 0) await wakeLanes(trx, woken);
};

const movePortion = async (db: Db, diversion: Diversion): Promise<number> => {
  const room = MOST_AHEAD - (await countWaiting(db, diversion.to, MOST_AHEAD));
  const moved = await moveWaiting(
    db,
    room > 0
      ? { ...diversion, limit: Math.min(PORTION, room), maxPriority: ANY_PRIORITY }
      : { ...diversion, limit: PORTION, maxPriority: SINGLES },
  );
  if (moved > 0) await wakeLanes(db, [diversion.to]);
  return moved;
};

/** Moves a portion of what waits in lanes that have been in trouble for so long. */
export const divertWaiting = async (
  { db, log }: Omit<DeliveryDeps, 'timing'>,
  afterMs: number,
): Promise<{ moved: number; stuck: boolean }> => {
  const moved = new Map<number, number>();
  for (const diversion of await findDiversions(db, afterMs)) {
    if (moved.get(diversion.from)) continue;
    const count = await movePortion(db, diversion);
    moved.set(diversion.from, count);
    if (count > 0) log.warn({ ...diversion, moved: count }, 'messages go by another lane');
  }
  const total = [...moved.values()].reduce((sum, count) => sum + count, 0);
  let stuck = false;
  for (const [from, count] of moved) stuck ||= count === 0 && (await countWaiting(db, from, 1)) > 0;
  return { moved: total, stuck };
};

/** Looks for lanes in trouble for as long as the process runs; any number of processes may do so at once. */
export const keepDiverting = (deps: DeliveryDeps): { stop: () => Promise<void> } => {
  const { log, timing } = deps;
  const stopped = new AbortController();
  const run = async (): Promise<void> => {
    let rests = 1;
    while (!stopped.signal.aborted) {
      await sleep(timing.divertEveryMs * rests, undefined, { signal: stopped.signal }).catch(() => {});
      if (stopped.signal.aborted) return;
      const { moved, stuck } = await divertWaiting(deps, timing.divertAfterMs).catch((error) => {
        log.warn({ err: error }, 'messages could not go by another lane');
        return { moved: 0, stuck: true };
      });
      // What finds no other way is not read over and over.
      rests = stuck && moved === 0 ? Math.min(LONGEST_REST, rests * 2) : 1;
    }
  };
  const running = run();
  return {
    stop: () => {
      stopped.abort();
      return running;
    },
  };
};
