import type { Choice, LaneWhy } from './choice.ts';
import type { Verdict } from './judge-lanes.ts';
import type { LaneFacts, RoutedMessage } from './lane-facts.ts';
import { isSticky, startedDays } from './phone-terms.ts';
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
  /** Of a phone: what its score and weight are made of. */
  phone: ExplainedPhone | null;
}

export interface ExplainedPhone {
  phoneName: string;
  transferJobRate: number;
  idealVolume: number;
  startedDays: number;
  /** Within 24 hours. */
  sentCount: number;
  pendingCount: number;
  /** 1 for the phone that the recipient knows. */
  stickyness: number;
}

const CHOSEN: Record<LaneWhy, string> = {
  ONLY: 'Chosen: no other lane may have it.',
  INSTEAD: 'Chosen: the best of those that can send now.',
  DEDICATED: 'Chosen: it is dedicated to the account.',
  STICKY: 'Chosen: the recipient knows its number.',
  SPREAD: 'Chosen: it is its turn among equals.',
  CHEAPEST: 'Chosen: the cheapest of the preferred.',
  PREFERRED: 'Chosen: it is preferred.',
  WAITS: 'Chosen to wait in:',
  CONVERSATION: 'Chosen: the customer wrote to its number.',
  TRIED: 'Chosen: an admin tests it.',
  DEVICE: 'Chosen: the message names it.',
};

const sentenceOf = (
  { lane, rule, score }: Verdict,
  { around, message, chosen }: { around: Surroundings; message: RoutedMessage; chosen: Choice | undefined },
  best: Verdict | undefined,
): string => {
  const failed = rule?.sentence(lane, message, around);
  if (lane === chosen?.lane) return failed ? `${CHOSEN.WAITS} ${failed}` : CHOSEN[chosen.why];
  if (failed) return failed;
  return score === best?.score
    ? `It is equal to ${best.lane.name}, whose turn it is.`
    : `It could have the message, but ${best?.lane.name} comes first.`;
};

const phoneOf = (lane: LaneFacts, message: RoutedMessage, around: Surroundings): ExplainedPhone | null =>
  lane.phone && {
    phoneName: lane.phone.name,
    transferJobRate: lane.phone.transferJobRate,
    idealVolume: lane.phone.idealVolume,
    startedDays: startedDays(lane, around.nowMs),
    sentCount: lane.sent.oneDay,
    pendingCount: lane.waiting,
    stickyness: isSticky(lane, message, around) ? 1 : 0,
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
    phone: phoneOf(verdict.lane, given.message, given.around),
  }));
};
