/**
 * A pump moves messages from a lane to its carrier. It claims them and hands them over in turns, and is always in one
 * of these modes. Before and after every step the pump determines its mode anew by `nextMode`; only OVER is set, by
 * `stop`, and is never left.
 *
 * - WAITING: the carrier takes messages, and nothing is known that could be claimed at this moment: either nothing
 *   waits, or the claims rest between two searches. A wake signal ends it, the time of the next claim (`askAt`), or the
 *   end of the rest.
 * - CLAIM_SINGLES: a wake signal said that something new waits. Singles are claimed first, because somebody waits for
 *   them; the rest of what woke us is claimed afterwards.
 * - CLAIM: more waits than the last claim took, or something was put back, or it is time to look again.
 * - FULL: enough is claimed for now. The carrier's next answer makes room and signals; new singles may still be claimed.
 * - PAUSED: the carrier has just refused messages that it may take later. Nothing is handed over or claimed until then.
 * - BLOCKED: nothing may be handed over, so nothing is claimed: the carrier is down, the lease has lapsed, the throttle
 *   lets nothing out, or too many results wait for the database. The carrier and the results signal when this ends; the
 *   throttle has a time for it, and a lease that is renewed is noticed at the next poll. What stays claimed for too long
 *   is put back, in this mode as in every other.
 * - OVER: stopped. What was claimed and not handed over is put back, and what is in flight is awaited.
 *
 * In every mode the backlog is remembered: what this pump knows of the messages that wait in its lane.
 */
export type PumpMode = 'WAITING' | 'CLAIM_SINGLES' | 'CLAIM' | 'FULL' | 'PAUSED' | 'BLOCKED' | 'OVER';

/** What is known of the messages that wait in the lane. */
export interface Backlog {
  /** More waits than the last claim took. */
  more: boolean;
  /** Otherwise the next claim is at this time. */
  askAt: number;
  /** A wake signal said that something new waits, and we have not claimed singles since. */
  woken: boolean;
  /** A wake signal said that not only singles wait, and we have not claimed others since. */
  fresh: boolean;
}

export const NOTHING_KNOWN: Backlog = {
  more: false,
  askAt: Number.POSITIVE_INFINITY,
  woken: false,
  fresh: false,
};

/** What hand-over, claims and throttle say at a moment. */
export interface PumpFacts {
  now: number;
  /** Something is claimed or in flight. */
  hasClaimed: boolean;
  /** The carrier would take a message now. */
  mayGo: boolean;
  pausedUntil: number;
  /** How long the throttle lets nothing out; Infinity if it keeps nothing back. */
  throttledMs: number;
  /** Another claim may follow. */
  isLow: boolean;
  /** How many more singles may be claimed. */
  urgentRoom: number;
  /** More singles wait than were claimed. */
  urgentLeft: boolean;
  /** How long the claims rest before singles are claimed again, and before others are. */
  urgentInMs: number;
  restMs: number;
  /** When to look once more for a claim that may be committed although we gave it up. */
  straysAt: number;
  pollMs: number;
}

/** A lane without work waits for a signal. */
export const IDLE_MS = 2 ** 31 - 1;

/** Something is known to wait, whenever it may be claimed. */
const hasBacklog = ({ more, fresh }: Backlog, { urgentLeft }: PumpFacts): boolean =>
  more || fresh || urgentLeft;

export const nextMode = (mode: PumpMode, backlog: Backlog, at: PumpFacts): PumpMode => {
  if (mode === 'OVER') return 'OVER';
  if (at.pausedUntil > at.now) return 'PAUSED';
  if (!at.mayGo) return 'BLOCKED';
  if (backlog.woken && at.urgentInMs === 0 && at.urgentRoom > 0) return 'CLAIM_SINGLES';
  if (!at.isLow) return 'FULL';
  const mayClaim = at.restMs === 0 && (hasBacklog(backlog, at) || at.now >= backlog.askAt);
  return mayClaim ? 'CLAIM' : 'WAITING';
};

/** How long a mode lasts without a signal. */
export const waitMs = (mode: PumpMode, backlog: Backlog, at: PumpFacts): number => {
  if (mode === 'OVER' || mode === 'CLAIM_SINGLES' || mode === 'CLAIM') return 0;
  if (mode === 'PAUSED') return Math.min(at.pausedUntil - at.now + 1, at.pollMs);
  // With nothing claimed, only a signal can change something: the worker looks for work of all its lanes at once.
  const longestMs = at.hasClaimed ? at.pollMs : Math.min(IDLE_MS, at.straysAt - at.now);
  const times = [longestMs, at.throttledMs];
  if (mode !== 'BLOCKED' && backlog.woken && at.urgentRoom > 0) times.push(at.urgentInMs);
  if (mode === 'WAITING')
    times.push(Math.max(at.restMs, hasBacklog(backlog, at) ? 0 : backlog.askAt - at.now));
  return Math.max(1, Math.min(...times));
};
