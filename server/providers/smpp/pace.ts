/** How fast a bind may go: the window, less while the message centre asks us to slow down. */
interface Pace {
  /** How many more may be submitted now. */
  room: (inFlight: number) => number;
  taken: () => void;
  /** Returns how long to pause, or undefined if it is pausing already. */
  slowDown: () => number | undefined;
}

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

/**
 * Halves the window and pauses at a refusal, and grows it by one for each window that was taken, as TCP does. The
 * refusals of one burst count once.
 */
export const openPace = (window: number, now: () => number = () => performance.now()): Pace => {
  let limit = window;
  let pauseMs = 0;
  let pausedUntil = 0;
  const pausing = () => pausedUntil !== 0 && now() < pausedUntil;
  return {
    room: (inFlight) => (pausing() ? 0 : Math.floor(limit) - inFlight),
    taken: () => {
      if (limit < window) limit = Math.min(window, limit + 1 / limit);
      if (pauseMs !== 0) pauseMs = pauseMs < 1 ? 0 : pauseMs * 0.95;
    },
    slowDown: () => {
      if (pausing()) return undefined;
      limit = Math.max(1, limit / 2);
      pauseMs = Math.min(MAX_PAUSE_MS, Math.max(FIRST_PAUSE_MS, pauseMs * 2));
      pausedUntil = now() + pauseMs;
      return pauseMs;
    },
  };
};
