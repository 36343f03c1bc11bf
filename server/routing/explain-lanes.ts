import type { Choice, LaneWhy } from './choice.ts';
import type { Verdict } from './judge-lanes.ts';
import type { RoutedMessage } from './lane-facts.ts';
import type { RuleCode, Surroundings } from './rules.ts';

/** What decided about one lane. */
export interface Explained {
  laneId: number;
  name: string;
  chosen: boolean;
  /** The rule that keeps the message out of it, or would make it wait there. */
  rule: RuleCode | null;
  /** Null if it may not have the message. */
  score: number | null;
  weight: number;
  /** For admins. */
  sentence: string;
}

const CHOSEN: Record<LaneWhy, string> = {
  ONLY: 'Chosen: no other lane may have it.',
  INSTEAD: 'Chosen: the best of those that can send now.',
  DEDICATED: 'Chosen: it is dedicated to the account.',
  SPREAD: 'Chosen: it is its turn among equals.',
  CHEAPEST: 'Chosen: the cheapest of the preferred.',
  PREFERRED: 'Chosen: it is preferred.',
  WAITS: 'Chosen to wait in:',
  CONVERSATION: 'Chosen: the customer wrote to its number.',
};

const sentenceOf = (
  { lane, rule, worth }: Verdict,
  { around, message, chosen }: { around: Surroundings; message: RoutedMessage; chosen: Choice | undefined },
  best: Verdict | undefined,
): string => {
  const failed = rule?.sentence(lane, message, around);
  if (lane === chosen?.lane) return failed ? `${CHOSEN.WAITS} ${failed}` : CHOSEN[chosen.why];
  if (failed) return failed;
  return worth === best?.worth
    ? `It is equal to ${best.lane.name}, whose turn it is.`
    : `It could have the message, but ${best?.lane.name} comes first.`;
};

/** One sentence for each lane, the chosen one first, then by score. */
export const explainLanes = (given: {
  verdicts: Verdict[];
  around: Surroundings;
  message: RoutedMessage;
  chosen: Choice | undefined;
}): Explained[] => {
  const best = given.verdicts.find(({ lane }) => lane === given.chosen?.lane);
  const ordered = best ? [best, ...given.verdicts.filter((one) => one !== best)] : given.verdicts;
  return ordered.map((verdict) => ({
    laneId: verdict.lane.id,
    name: verdict.lane.name,
    chosen: verdict === best,
    rule: verdict.rule?.code ?? null,
    score: verdict.score,
    weight: verdict.weight,
    sentence: sentenceOf(verdict, given, best),
  }));
};
