import { THROTTLE_MINUTES, THROTTLE_WINDOWS } from '../lanes/index.ts';
import { type LaneFacts, type RoutedMessage, unitCost } from './lane-facts.ts';
import { LASTING_RULES, PASSING_RULES, type Rule, type RuleCode, type Surroundings } from './rules.ts';

/** Among lanes of equal preference: the cheapest to buy first, or all in turn. */
export type RoutingPolicy = 'cheapest' | 'spread';

/**
 * What a lane's score is made of, in micro-dollars that it is better by. Each weighs more than all that follow: a lane
 * of the account's own, a step of preference, the price of purchase. Further facts about a lane are further terms.
 */
const OWN = 1e13;
const PREFERENCE_STEP = 1e7;
const MOST_STEPS = 1e5;
/** A lane that can't send now comes after all that can. */
const CANNOT_SEND = { DOWN: -3e14, REJECTING: -2e14, THROTTLED: -1e14 };

type Term = (lane: LaneFacts, message: RoutedMessage, policy: RoutingPolicy) => number;

const ownTerm: Term = (lane, { accountId }) => (lane.dedicatedTo.includes(accountId) ? OWN : 0);
const preferenceTerm: Term = ({ preference }) =>
  -Math.max(-MOST_STEPS, Math.min(MOST_STEPS, preference)) * PREFERENCE_STEP;
const costTerm: Term = (lane, { country }, policy) =>
  policy === 'cheapest' ? -Math.min(Number(unitCost(lane, country)), PREFERENCE_STEP - 1) : 0;
const TERMS: Term[] = [ownTerm, preferenceTerm, costTerm];

export interface Verdict {
  lane: LaneFacts;
  /** The rule that keeps the message out, or makes it wait; null: it could be sent now. */
  rule: Rule | null;
  /** Null: the lane may not have it. */
  score: number | null;
  /** The score if the lane could send now. */
  worth: number;
  /** Its share among equals. */
  weight: number;
}

/** How many messages a day its throttles allow. */
const perDay = ({ limits }: LaneFacts): number =>
  Math.min(
    ...THROTTLE_WINDOWS.map(
      (window) =>
        (limits[window] ?? Number.POSITIVE_INFINITY) * (THROTTLE_MINUTES.oneDay / THROTTLE_MINUTES[window]),
    ),
  );

const isThrottle = (code: RuleCode): boolean => code.startsWith('THROTTLE');

const judge = (
  lane: LaneFacts,
  message: RoutedMessage,
  { around, policy }: { around: Surroundings; policy: RoutingPolicy },
): Verdict => {
  const worth = TERMS.reduce((sum, term) => sum + term(lane, message, policy), 0);
  const failed = (rule: Rule): boolean => !rule.passes(lane, message, around);
  const lasting = LASTING_RULES.find(failed);
  const rule = lasting ?? PASSING_RULES.find(failed) ?? null;
  const verdict = { lane, rule, worth, weight: lane.weight };
  if (rule === null) return { ...verdict, score: worth };
  if (lasting) return { ...verdict, score: null };
  // What waits for throttles is shared by what they allow, so that all lanes are done at the same time.
  if (isThrottle(rule.code))
    return {
      ...verdict,
      score: CANNOT_SEND.THROTTLED + ownTerm(lane, message, policy),
      weight: perDay(lane),
    };
  return { ...verdict, score: worth + (rule.code === 'DOWN' ? CANNOT_SEND.DOWN : CANNOT_SEND.REJECTING) };
};

const scoreOf = ({ score }: Verdict): number => score ?? Number.NEGATIVE_INFINITY;

/** Every lane with its score for this message, the best first. The one function that choosing and explaining use. */
export const judgeLanes = (
  facts: LaneFacts[],
  message: RoutedMessage,
  given: { around: Surroundings; policy: RoutingPolicy },
): Verdict[] =>
  facts
    .map((lane) => judge(lane, message, given))
    .toSorted((a, b) => (scoreOf(b) > scoreOf(a) ? 1 : scoreOf(b) < scoreOf(a) ? -1 : 0));
