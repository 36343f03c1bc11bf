/** How long things take. Tests are less patient. */
export interface Timing {
  /** A lane whose holder is silent for so long is free. */
  leaseMs: number;
  /** How often an idle lane looks for itself; new messages wake it at once. */
  pollMs: number;
  /** How long results and receipts are gathered at most. */
  gatherMs: number;
  /** A carrier that has not answered after this never will: the outcome is unknown. */
  answerMs: number;
  openMs: number;
  /** What a lane that is down has claimed goes back after this, so that it can go elsewhere. */
  putBackMs: number;
  /** Between two tries to open a carrier: at first, and at most. */
  firstRetryMs: number;
  longestRetryMs: number;
  /** The messages of a lane that is down, or refuses all for now, go elsewhere after this. */
  failoverAfterMs: number;
  /** How often that is looked for; less often while nothing can go. */
  failoverEveryMs: number;
  /** What is in flight has this long when the lane is given up. */
  drainMs: number;
}

export const TIMING: Timing = {
  leaseMs: 15_000,
  pollMs: 1_000,
  gatherMs: 50,
  answerMs: 90_000,
  openMs: 30_000,
  putBackMs: 2_000,
  firstRetryMs: 500,
  longestRetryMs: 60_000,
  failoverAfterMs: 30_000,
  failoverEveryMs: 1_000,
  drainMs: 5_000,
};
