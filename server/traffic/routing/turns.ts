import type { Choice, Decision } from './choice.ts';
import type { LaneFacts } from './lane-facts.ts';
import type { LaneTally } from './rules.ts';

/** A lane that may be chosen, with its tally at hand. */
export interface Turn extends Choice {
  weight: number;
  tally: LaneTally;
  /** The lane had reached its ideal volume when the decision was made. */
  beyond: boolean;
}

/** What was decided for messages that are alike. */
export interface Decided extends Omit<Decision, 'turns'> {
  turns: Turn[];
  /**
   * Rounds in which a recipient's own phone was chosen out of turn; the other lanes have not been credited for them
   * yet.
   */
  pendingCredit: number;
  /** All weights together. */
  total: number;
  members: ReadonlySet<LaneFacts>;
}

const isSpent = ({ tally, beyond }: Turn): boolean =>
  tally.left <= 0 || tally.recipientsLeft <= 0 || (!beyond && tally.volumeLeft <= 0);

/** What the lanes earned in rounds that somebody's own phone took. */
export const settle = (decided: Decided): void => {
  for (const { tally, weight } of decided.turns) tally.credit += weight * decided.pendingCredit;
  decided.pendingCredit = 0;
};

/** Smooth weighted round robin: every lane that can send earns its weight, and the richest pays for all. */
export const takeTurn = (decided: Decided, { earn }: { earn: boolean }): Turn | undefined => {
  const { turns, waits } = decided;
  if (decided.pendingCredit > 0) settle(decided);
  let richest: Turn | undefined;
  let most = Number.NEGATIVE_INFINITY;
  let total = 0;
  for (const turn of turns) {
    const { tally, weight } = turn;
    if (!waits && isSpent(turn)) continue;
    const credit = tally.credit + weight;
    if (earn) tally.credit = credit;
    total += weight;
    if (credit > most) {
      richest = turn;
      most = credit;
    }
  }
  if (earn && richest) richest.tally.credit -= total;
  return richest;
};
