import { setTimeout as sleep } from 'node:timers/promises';
import { findTroubledLanes, type Moved, moveFrom } from '../outbox/index.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

const LONGEST_REST = 15;
/** As long as something could be moved, more may follow. */
const SOON_MS = 50;
const SAID_EVERY_MS = 10_000;

/** Logs immediately that messages of a lane move to another one, and then from time to time how many. */
const openMoveLog = ({ log }: Pick<DeliveryDeps, 'log'>) => {
  const pairs = new Map<string, { unsaid: Moved; nextAt: number }>();
  const logRest = ({ immediately = false } = {}): void => {
    for (const pair of pairs.values()) {
      if (pair.unsaid.count === 0 || (!immediately && performance.now() < pair.nextAt)) continue;
      const { from, to, why, count } = pair.unsaid;
      log.warn({ fromLane: from, toLane: to, why, moved: count }, 'messages go by another lane');
      pair.unsaid.count = 0;
      pair.nextAt = performance.now() + SAID_EVERY_MS;
    }
  };
  return {
    logRest,
    say: (moved: Moved): void => {
      const name = `${moved.from} ${moved.to} ${moved.why}`;
      const pair = pairs.get(name) ?? { unsaid: { ...moved, count: 0 }, nextAt: 0 };
      pair.unsaid.count += moved.count;
      pairs.set(name, pair);
      logRest();
    },
  };
};

/** Looks for lanes in trouble as long as the process runs; any number of processes may do so concurrently. */
export const runFailover = (deps: DeliveryDeps): { stop: () => Promise<void> } => {
  const { db, log, timing } = deps;
  const { failoverEveryMs: everyMs } = timing;
  const stopped = new AbortController();
  const { say, logRest } = openMoveLog(deps);
  /** Waits longer while no other lane takes the messages, so that they are not read over and over. */
  const rests = new Map<number, { ms: number; until: number }>();

  const look = async (): Promise<void> => {
    logRest();
    const troubled = await findTroubledLanes(db, timing.failoverAfterMs);
    const ids = new Set(troubled.map(({ id }) => id));
    for (const id of rests.keys()) if (!ids.has(id)) rests.delete(id);
    for (const lane of troubled) {
      const rest = rests.get(lane.id);
      if (rest && performance.now() < rest.until) continue;
      const moved = await moveFrom(db, lane);
      const stuckMs = Math.min(LONGEST_REST * everyMs, (rest?.ms ?? everyMs) * 2);
      const restMs = moved === 'stuck' ? stuckMs : moved ? Math.min(SOON_MS, everyMs) : everyMs;
      rests.set(lane.id, { ms: restMs, until: performance.now() + restMs });
      if (moved && moved !== 'stuck') for (const one of moved) say(one);
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
    logRest({ immediately: true });
  };
  const running = run();
  return {
    stop: () => {
      stopped.abort();
      return running;
    },
  };
};
