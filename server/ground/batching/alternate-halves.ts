/** Splitting so few callers gains nothing. */
const FEW_CALLERS = 8;
/** Half of the callers, except for a few that are late. */
const ENOUGH = 0.4;

/**
 * Splits many callers into two halves: while one half is being flushed, the other is answered and asks again. Without
 * it flushes grow uneven: all callers but one are in a flush, the one is the next flush, and a flush of one costs
 * nearly as much as a flush of all.
 */
export const openHalves = (maxDelayMs: number) => {
  /** How many callers there were around the last flush, and when it ended. */
  let callers = 0;
  let endedAt = 0;
  return {
    /** How many items the next flush may take. */
    maxItems: (): number => (callers > FEW_CALLERS ? Math.ceil(callers / 2) : Number.POSITIVE_INFINITY),
    /** How long to wait for the half that was just answered; 0 when enough of it is back, or callers are few. */
    delayMs: (waiting: number): number =>
      callers <= FEW_CALLERS || waiting >= callers * ENOUGH ? 0 : endedAt + maxDelayMs - performance.now(),
    flushed: (around: number): void => {
      callers = around;
      endedAt = performance.now();
    },
  };
};
