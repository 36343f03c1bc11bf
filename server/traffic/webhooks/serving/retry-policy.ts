import type { ReceiverAnswer } from '../receivers.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** Timeouts and intervals. Tests use shorter ones. */
export interface RetryTiming {
  /** How often to look for retries and for endpoints without a holder; new events of those arrive immediately. */
  pollMs: number;
  /** How often to look for new events of the endpoints that are being served. */
  watchMs: number;
  /** An endpoint is free if its holder has not renewed the lease for this long. */
  leaseMs: number;
  /** The lease of an endpoint is kept this long after its last event. */
  lingerMs: number;
  firstRetryMs: number;
  longestRetryMs: number;
  /** Since the first attempt: the last attempt is then, and after it the event is parked. */
  giveUpMs: number;
  /** How long a failing endpoint is left alone: at first, and at most. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** The longest pause that a receiver may ask for. */
  longestRetryAfterMs: number;
  /** After failures for this long the customer gets a mail. */
  mailAfterMs: number;
}

export const GIVE_UP_HOURS = 48;

export const RETRY_TIMING: RetryTiming = {
  pollMs: SECOND,
  watchMs: 100,
  leaseMs: 15 * SECOND,
  lingerMs: 2 * SECOND,
  firstRetryMs: 5 * SECOND,
  longestRetryMs: 12 * HOUR,
  giveUpMs: GIVE_UP_HOURS * HOUR,
  firstPauseMs: SECOND,
  longestPauseMs: 300 * SECOND,
  longestRetryAfterMs: HOUR,
  mailAfterMs: 600 * SECOND,
};

/** Each retry waits three times as long as the one before. */
const GROWTH = 3;
/** Failures in a row after which an endpoint is left alone for a while. */
const FAILURES_BEFORE_PAUSE = 4;

/** From four fifths to six fifths, so that events that failed together are not retried together. */
const jitter = (): number => 0.8 + Math.random() * 0.4;

/** Whether the receiver asks to be left alone, and for how long. */
export const requestedPauseMs = (
  { status, retryAfterMs }: ReceiverAnswer,
  { longestRetryAfterMs }: RetryTiming,
): number => (status === 429 || status === 503 ? Math.min(longestRetryAfterMs, retryAfterMs ?? 0) : 0);

/** When the next attempt is, in milliseconds from now; undefined if the time is over. */
export const retryDelayMs = (
  { attempts, ageMs, retryAfterMs }: { attempts: number; ageMs: number; retryAfterMs: number },
  { firstRetryMs, longestRetryMs, giveUpMs }: RetryTiming,
): number | undefined => {
  const leftMs = giveUpMs - ageMs;
  if (leftMs <= 0) return undefined;
  const delayMs = Math.min(longestRetryMs, firstRetryMs * GROWTH ** Math.min(30, attempts)) * jitter();
  return Math.min(leftMs, Math.max(delayMs, retryAfterMs));
};

/** How long an endpoint is left alone after this many failures in a row. */
export const retryPauseMs = (failures: number, { firstPauseMs, longestPauseMs }: RetryTiming): number =>
  failures < FAILURES_BEFORE_PAUSE
    ? 0
    : Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(30, failures - FAILURES_BEFORE_PAUSE)) * jitter();
