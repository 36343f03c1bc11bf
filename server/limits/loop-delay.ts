import { monitorEventLoopDelay } from 'node:perf_hooks';

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

/** How often it is measured; the measured time includes it. */
const RESOLUTION_MS = 10;
const WINDOW_MS = 1_000;
/** A single pause is no reason to refuse anything: this is the mean over a window. */
const BOUND_MS = 400;

/** Watches how long the event loop is held up by work. */
export const openLoopDelay = ({
  boundMs = BOUND_MS,
  windowMs = WINDOW_MS,
}: LoopDelayOptions = {}): LoopDelay => {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let meanMs = 0;
  const timer = setInterval(() => {
    meanMs = histogram.count > 0 ? Math.max(0, histogram.mean / 1e6 - RESOLUTION_MS) : meanMs;
    histogram.reset();
  }, windowMs);
  timer.unref();
  return {
    seconds: () => meanMs / 1_000,
    isBusy: () => meanMs > boundMs,
    close: () => {
      clearInterval(timer);
      histogram.disable();
    },
  };
};
