/** Timeouts and intervals. Tests use shorter ones. */
export interface DeliveryTiming {
  /** A lane is free if its holder has not renewed the lease for this long. */
  leaseMs: number;
  /** How often an idle lane polls; new messages wake it immediately. */
  pollMs: number;
  /** How long results and receipts are collected at most. */
  gatherMs: number;
  /** A carrier that has not answered after this never will: the outcome is unknown. */
  answerMs: number;
  openMs: number;
  /** What was claimed and not handed over goes back after this, so that it can be moved, decided and withdrawn. */
  putBackMs: number;
  /** Between two attempts to open a carrier: at first, and at most. */
  firstRetryMs: number;
  longestRetryMs: number;
  /** The messages of a lane that is down, or defers everything, move after this. */
  failoverAfterMs: number;
  /** How often to look for such lanes; less often while nothing can move. */
  failoverEveryMs: number;
  /** Messages in flight have this long when the lane is released. */
  drainMs: number;
}

export const DELIVERY_TIMING: DeliveryTiming = {
  leaseMs: 15_000,
  pollMs: 1_000,
  gatherMs: 50,
  answerMs: 90_000,
  openMs: 30_000,
  putBackMs: 4_000,
  firstRetryMs: 500,
  longestRetryMs: 60_000,
  failoverAfterMs: 30_000,
  failoverEveryMs: 1_000,
  drainMs: 5_000,
};
