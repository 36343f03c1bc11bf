/** An endpoint may have this many whatever the others have, so that slow receivers stop nobody. */
const LEAST = 20;

/**
 * Bounds the events in memory over all endpoints of this process, from being read until their outcomes are written. An
 * endpoint may have half as many as are free: a single one has what it needs, and of many with slow receivers each
 * gets a share, with some left for who comes next.
 */
export const openEventBudget = (most: number) => {
  let used = 0;
  return {
    /** The most that an endpoint may have now. */
    share: (): number => Math.max(LEAST, Math.floor((most - used) / 2)),
    /** More of them, or fewer. */
    use: (events: number): void => {
      used += events;
    },
  };
};
export type EventBudget = ReturnType<typeof openEventBudget>;
