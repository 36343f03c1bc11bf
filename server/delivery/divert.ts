import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../postgres/index.ts';
import {
  countWaiting,
  type Diversion,
  findDiversions,
  moveRefused,
  moveWaiting,
  takeTurn,
} from './divert-store.ts';
import type { Claimed } from './hand-store.ts';
import type { DeliveryDeps } from './lane.ts';
import { wakeLanes } from './lane-store.ts';

/** A message that a lane has put off so often goes elsewhere: some three seconds after the first time. */
export const ATTEMPTS_A_LANE = 3;
const PORTION = 1_000;
/** A lane that takes over gets no more from files than this ahead: the rest goes home when its lane is well again. */
const MOST_AHEAD = 5_000;
/** Below so much room files wait: they would be moved in crumbs. */
const LEAST_ROOM = 500;
const SINGLES = 0;
const ANY_PRIORITY = 32_767;
const LONGEST_REST = 15;
/** As long as something could be moved, more may follow. */
const SOON_MS = 50;
const SAID_EVERY_MS = 10_000;

/** Within the transaction that puts them off, before they wait: what was put off too often goes to the next lane. */
export const divertRefused = async (trx: Db, laneId: number, putOff: Claimed[]): Promise<void> => {
  const messages = putOff.filter(({ attempts }) => attempts >= ATTEMPTS_A_LANE);
  if (messages.length === 0) return;
  const woken = await moveRefused(trx, { laneId, messages, attempts: ATTEMPTS_A_LANE });
  if (woken.length > 0) await wakeLanes(trx, woken);
};

const movePortion = async (trx: Db, diversion: Diversion): Promise<number> => {
  const room = MOST_AHEAD - (await countWaiting(trx, diversion.to, MOST_AHEAD));
  const moved = await moveWaiting(
    trx,
    room >= LEAST_ROOM
      ? { ...diversion, limit: Math.min(PORTION, room), maxPriority: ANY_PRIORITY }
      : { ...diversion, limit: PORTION, maxPriority: SINGLES },
  );
  if (moved > 0) await wakeLanes(trx, [diversion.to]);
  return moved;
};

interface Moved extends Diversion {
  count: number;
}

/**
 * Moves a portion of what waits in one lane to the first of these that takes some. One worker at a time: another one
 * would find the same lots taken, and think that the preferred lane wants none.
 */
const moveFrom = (db: Db, from: number, diversions: Diversion[]): Promise<Moved | 'stuck' | undefined> =>
  db.transaction().execute(async (trx) => {
    if (!(await takeTurn(trx, from))) return undefined;
    for (const diversion of diversions) {
      const count = await movePortion(trx, diversion);
      if (count > 0) return { ...diversion, count };
    }
    return (await countWaiting(trx, from, 1)) > 0 ? 'stuck' : undefined;
  });

/** Says at once that messages of a lane go by another one, and then now and then how many. */
const openSaying = ({ log }: Pick<DeliveryDeps, 'log'>) => {
  const pairs = new Map<string, { unsaid: Moved; nextAt: number }>();
  const sayRest = ({ atOnce = false } = {}): void => {
    for (const pair of pairs.values()) {
      if (pair.unsaid.count === 0 || (!atOnce && performance.now() < pair.nextAt)) continue;
      const { from, to, why, count } = pair.unsaid;
      log.warn({ fromLane: from, toLane: to, why, moved: count }, 'messages go by another lane');
      pair.unsaid.count = 0;
      pair.nextAt = performance.now() + SAID_EVERY_MS;
    }
  };
  return {
    sayRest,
    say: (moved: Moved): void => {
      const name = `${moved.from} ${moved.to} ${moved.why}`;
      const pair = pairs.get(name) ?? { unsaid: { ...moved, count: 0 }, nextAt: 0 };
      pair.unsaid.count += moved.count;
      pairs.set(name, pair);
      sayRest();
    },
  };
};

/** Looks for lanes in trouble for as long as the process runs; any number of processes may do so at once. */
export const keepDiverting = (deps: DeliveryDeps): { stop: () => Promise<void> } => {
  const { db, log, timing } = deps;
  const { divertEveryMs: everyMs } = timing;
  const stopped = new AbortController();
  const { say, sayRest } = openSaying(deps);
  /** What finds no other way is not read over and over. */
  const rests = new Map<number, { ms: number; until: number }>();

  const look = async (): Promise<void> => {
    sayRest();
    const byLane = Map.groupBy(await findDiversions(db, timing.divertAfterMs), ({ from }) => from);
    for (const from of rests.keys()) if (!byLane.has(from)) rests.delete(from);
    for (const [from, diversions] of byLane) {
      const rest = rests.get(from);
      if (rest && performance.now() < rest.until) continue;
      const moved = await moveFrom(db, from, diversions);
      const stuckMs = Math.min(LONGEST_REST * everyMs, (rest?.ms ?? everyMs) * 2);
      const restMs = moved === 'stuck' ? stuckMs : moved ? Math.min(SOON_MS, everyMs) : everyMs;
      rests.set(from, { ms: restMs, until: performance.now() + restMs });
      if (moved && moved !== 'stuck') say(moved);
    }
  };
  const run = async (): Promise<void> => {
    let failures = 0;
    while (!stopped.signal.aborted) {
      const soonest = Math.min(...[...rests.values()].map(({ until }) => until - performance.now()));
      const pauseMs =
        failures > 0
          ? everyMs * Math.min(LONGEST_REST, 2 ** failures)
          : Math.max(1, Math.min(everyMs, soonest));
      await sleep(pauseMs, undefined, { signal: stopped.signal }).catch(() => {});
      if (stopped.signal.aborted) break;
      failures = await look().then(
        () => 0,
        (error) => {
          log.warn({ err: error }, 'messages could not go by another lane');
          return failures + 1;
        },
      );
    }
    sayRest({ atOnce: true });
  };
  const running = run();
  return {
    stop: () => {
      stopped.abort();
      return running;
    },
  };
};
