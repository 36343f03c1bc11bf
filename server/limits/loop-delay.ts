export interface LoopDelay {
  /** The mean of the last whole window, in seconds: how long anything has to wait before it begins. */
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
/** A single pause is no reason to refuse anything: this is the mean over a window. */
const BOUND_MS = 400;

/** Watches how long the event loop is held up by work. */
export const openLoopDelay = ({
  boundMs = BOUND_MS,
  windowMs = WINDOW_MS,
}: LoopDelayOptions = {}): LoopDelay => {
  let meanMs = 0;
  let begun = performance.now();
  let last = begun;
  let lateMs = 0;
  let ticks = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    lateMs += Math.max(0, now - last - TICK_MS);
    ticks += 1;
    last = now;
    if (now - begun < windowMs) return;
    meanMs = lateMs / ticks;
    [begun, lateMs, ticks] = [now, 0, 0];
  }, TICK_MS);
  timer.unref();
  return {
    seconds: () => meanMs / 1_000,
    isBusy: () => meanMs > boundMs,
    close: () => clearInterval(timer),
  };
};
