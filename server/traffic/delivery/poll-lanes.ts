import { findLanesWithWork } from '../outbox/index.ts';
import { askCarriers } from './ask-carriers.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import type { HeldLanes } from './held-lanes.ts';

/** Finds out with one query which of these lanes have work. */
export const wakeThoseWithWork = async (
  { db }: Pick<DeliveryDeps, 'db'>,
  { held }: Pick<HeldLanes, 'held'>,
  laneIds: Iterable<number>,
): Promise<void> => {
  const ids = [...laneIds].filter((id) => held.has(id));
  if (ids.length === 0) return;
  for (const id of await findLanesWithWork(db, ids)) held.get(id)?.served.wake(false);
};

/** Signals can be lost, and messages become due without one. One poll at a time; the lanes tick nevertheless. */
export const pollLanes = (deps: DeliveryDeps, lanes: HeldLanes): { stop: () => void } => {
  const { log, timing } = deps;
  const { held } = lanes;
  let polling = false;
  const poll = async (): Promise<void> => {
    lanes.tick();
    if (polling) return;
    polling = true;
    await wakeThoseWithWork(deps, lanes, held.keys()).catch((error) =>
      log.warn({ err: error }, 'the lanes could not be asked for work'),
    );
    await askCarriers(deps, [...held.keys()], (laneId) => held.get(laneId)?.served.ask).catch((error) =>
      log.warn({ err: error }, 'the carriers could not be asked'),
    );
    polling = false;
  };
  const timer = setInterval(() => void poll(), Math.min(timing.pollMs, timing.answerMs / 2));
  return { stop: () => clearInterval(timer) };
};
