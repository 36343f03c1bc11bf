/** How long an answer may take until its submit no longer holds a place in the window. */
interface Patience {
  ms: () => number;
  /** An answer came after this long. */
  answered: (tookMs: number) => void;
  /** One was waited for in vain. False until another answer came: then the far end may be only slow. */
  gaveUp: () => boolean;
}

const LEAST_MS = 100;
/** As long as nothing was answered. */
const FIRST_MS = 1_000;

/**
 * What answers usually take, and four times how much that varies, as TCP waits for what may be lost (RFC 6298). While
 * none comes at all, it doubles each time.
 */
export const openPatience = (mostMs: number): Patience => {
  let usualMs: number | undefined;
  let variesMs = 0;
  let doubled = 1;
  return {
    ms: () => {
      const ms = usualMs === undefined ? FIRST_MS : Math.max(LEAST_MS, usualMs + 4 * variesMs);
      return Math.min(mostMs, ms * doubled);
    },
    answered: (tookMs) => {
      doubled = 1;
      if (usualMs === undefined) {
        usualMs = tookMs;
        variesMs = tookMs / 2;
        return;
      }
      variesMs += (Math.abs(tookMs - usualMs) - variesMs) / 4;
      usualMs += (tookMs - usualMs) / 8;
    },
    gaveUp: () => {
      const isAnswering = doubled === 1;
      doubled *= 2;
      return isAnswering;
    },
  };
};
