import { clearGone } from '../../outbox/index.ts';
import type { DeliveryDeps } from '../delivery-deps.ts';

/** Messages; each has left a chunk or a part of one behind. */
const CLEARED_AFTER = 20_000;

/** A process that claims much vacuums: counts what a lane claims, and clears after so many, once at a time. */
export const openClearing = ({ db, log }: Pick<DeliveryDeps, 'db' | 'log'>, lane: { name: string }) => {
  /** Since the last vacuum. */
  let taken = 0;
  let clearing = false;
  return (count: number): void => {
    taken += count;
    if (taken < CLEARED_AFTER || clearing) return;
    taken = 0;
    clearing = true;
    clearGone(db)
      .catch((error) => log.warn({ err: error, lane: lane.name }, 'what is gone was not cleared away'))
      .finally(() => {
        clearing = false;
      });
  };
};
