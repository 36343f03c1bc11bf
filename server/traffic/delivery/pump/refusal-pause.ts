import type { SendOutcome } from '../../lanes/index.ts';

/** How long nothing goes to a carrier that refuses for the moment. */
export interface Pause {
  /** Without an accepted message between them. */
  refusals: number;
  until: number;
}

export const NO_PAUSE: Pause = { refusals: 0, until: 0 };

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/** Each whole window of refusals doubles the pause. A refusal that names its own time concerns that message alone. */
export const pauseAfter = (
  pause: Pause,
  outcome: SendOutcome,
  { window, now }: { window: number; now: number },
): Pause => {
  if (outcome.outcome === 'accepted') return { ...pause, refusals: 0 };
  if (outcome.outcome !== 'refused' || !outcome.retryable || outcome.notBefore) return pause;
  const refusals = pause.refusals + 1;
  const pauseMs = FIRST_PAUSE_MS * 2 ** Math.min(10, refusals / window);
  return { refusals, until: now + Math.min(LONGEST_PAUSE_MS, pauseMs) };
};
