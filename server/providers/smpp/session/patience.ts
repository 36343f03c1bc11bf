/** How long an answer may take until its submit no longer holds a place in the window. */
interface Patience {
  ms: () => number;
  /** An answer came after this long. */
  answered: (tookMs: number) => void;
  /** Whether any answer came since this was asked last. If not, the far end may be only slow. */
  isAnswering: () => boolean;
  /** One was waited for in vain while none came. */
  gaveUp: () => void;
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
  let heard = false;
  return {
    ms: () => {
      const ms = usualMs === undefined ? FIRST_MS : Math.max(LEAST_MS, usualMs + 4 * variesMs);
      return Math.min(mostMs, ms * doubled);
    },
    answered: (tookMs) => {
      doubled = 1;
      heard = true;
      if (usualMs === undefined) {
        usualMs = tookMs;
        variesMs = tookMs / 2;
        return;
      }
      variesMs += (Math.abs(tookMs - usualMs) - variesMs) / 4;
      usualMs += (tookMs - usualMs) / 8;
    },
    isAnswering: () => {
      const was = heard;
      heard = false;
      return was;
    },
    gaveUp: () => {
      doubled *= 2;
    },
  };
};
