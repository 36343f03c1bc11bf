import type { Phrase } from '../../ground/translations/index.ts';
import type { Choice } from './choice.ts';
import type { LaneVerdict } from './judge-lanes.ts';
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
  /** What the rule says of it. */
  fault: Phrase | null;
  /** For admins. */
  sentence: Phrase;
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

const sentenceOf = (
  { lane, rule, score }: LaneVerdict,
  { around, message, chosen }: { around: Surroundings; message: RoutedMessage; chosen: Choice | undefined },
  best: LaneVerdict | undefined,
): Phrase => {
  const reason = rule?.sentence(lane, message, around);
  if (lane === chosen?.lane)
    return reason
      ? { label: 'routing.chosen.WAITS', values: { reason } }
      : { label: `routing.chosen.${chosen.why}` };
  if (reason) return reason;
  return {
    label: score === best?.score ? 'routing.equal' : 'routing.after',
    values: { lane: best?.lane.name ?? '' },
  };
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
  verdicts: LaneVerdict[];
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
    fault: verdict.rule?.sentence(verdict.lane, given.message, given.around) ?? null,
    sentence: sentenceOf(verdict, given, best),
    phone: phoneOf(verdict.lane, given.message, given.around),
  }));
};
