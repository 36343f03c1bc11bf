import type { DeliveryTiming } from './timing.ts';

/** Between two attempts to open a carrier: doubled by each failure, and spread, so that not all lanes try at once. */
export const retryMs = (
  count: number,
  { firstRetryMs, longestRetryMs }: Pick<DeliveryTiming, 'firstRetryMs' | 'longestRetryMs'>,
  random: number,
): number => Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(20, count - 1)) * (0.75 + random / 2);

/** The lanes that could not be served: how often in a row, and when to try again. */
export const openRetries = (timing: Pick<DeliveryTiming, 'firstRetryMs' | 'longestRetryMs'>) => {
  const failures = new Map<number, number>();
  const retryAt = new Map<number, number>();
  return {
    retryAt: retryAt as ReadonlyMap<number, number>,
    /** It was served, or its carrier is up. */
    succeeded: (laneId: number): void => {
      failures.delete(laneId);
    },
    /** Returns after how long to try again. */
    failed: (laneId: number): number => {
      const count = (failures.get(laneId) ?? 0) + 1;
      const waitMs = retryMs(count, timing, Math.random());
      failures.set(laneId, count);
      retryAt.set(laneId, Date.now() + waitMs);
      return waitMs;
    },
  };
};
