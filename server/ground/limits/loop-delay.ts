export interface LoopDelay {
  /**
   * The mean of the last whole window, in seconds: how long anything has to wait before it begins. The longest pause of
   * the window is left out: a machine that stands still for a moment is not busy.
   */
  seconds: () => number;
  /** Whether this process can't keep up, so that it should take on no more expensive work. */
  isBusy: () => boolean;
  close: () => void;
}

interface LoopDelayOptions {
  boundMs?: number;
  windowMs?: number;
}

/** How often it is measured. */
const TICK_MS = 20;
const WINDOW_MS = 1_000;
/** A mean of fewer would be that of a single pause. */
const LEAST_TICKS = 3;
const BOUND_MS = 400;

/** Watches how long the event loop is held up by work. */
export const openLoopDelay = ({
  boundMs = BOUND_MS,
  windowMs = WINDOW_MS,
}: LoopDelayOptions = {}): LoopDelay => {
  let meanMs = 0;
  let begun = performance.now();
  let last = begun;
  let late: number[] = [];
  const timer = setInterval(() => {
    const now = performance.now();
    late.push(Math.max(0, now - last - TICK_MS));
    last = now;
    if (now - begun < windowMs || late.length < LEAST_TICKS) return;
    const sum = late.reduce((all, one) => all + one, 0);
    meanMs = (sum - Math.max(...late)) / (late.length - 1);
    [begun, late] = [now, []];
  }, TICK_MS);
  timer.unref();
  return {
    seconds: () => meanMs / 1_000,
    isBusy: () => meanMs > boundMs,
    close: () => clearInterval(timer),
  };
};
