/** How fast a bind may go: the window, less while the message centre asks us to slow down. */
interface Pace {
  /** How many more may be submitted now. */
  room: (inFlight: number) => number;
  /** One was answered. Returns how long to pause, if that is to begin now. */
  answered: (answer: 'taken' | 'slow down') => number | undefined;
}

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

/**
 * Grows the window by one for each window that was answered, and shrinks it by half of the share of it that was refused,
 * as data centre TCP does: who refuses one in ten gets a little less at once, and no pause. Only when a whole window was
 * refused is there a pause, a longer one each time.
 */
export const openSmppPace = (window: number, now: () => number = () => performance.now()): Pace => {
  let limit = window;
  let pauseMs = 0;
  let pausedUntil = 0;
  let answers = 0;
  let refusals = 0;
  const isPausing = () => pausedUntil !== 0 && now() < pausedUntil;

  const endRound = (): number | undefined => {
    const share = refusals / answers;
    answers = 0;
    refusals = 0;
    limit = Math.max(1, limit * (1 - share / 2));
    if (share < 1) {
      limit = Math.min(window, limit + 1);
      pauseMs = 0;
      return undefined;
    }
    pauseMs = Math.min(MAX_PAUSE_MS, Math.max(FIRST_PAUSE_MS, pauseMs * 2));
    pausedUntil = now() + pauseMs;
    return pauseMs;
  };
  return {
    room: (inFlight) => (isPausing() ? 0 : Math.floor(limit) - inFlight),
    answered: (answer) => {
      if (answer === 'taken' && limit === window && refusals === 0) return undefined;
      answers += 1;
      if (answer === 'slow down') refusals += 1;
      return answers >= Math.floor(limit) ? endRound() : undefined;
    },
  };
};
