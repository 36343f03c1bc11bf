import { THROTTLE_MINUTES, THROTTLE_WINDOWS } from '../lanes/index.ts';
import { type LaneFacts, type RoutedMessage, unitCost } from './lane-facts.ts';
import { isOnNet, isOverIdeal, isSticky, weightOf } from './phone-terms.ts';
import { LASTING_RULES, PASSING_RULES, type RoutingRule, type RuleCode, type Surroundings } from './rules.ts';

/**
 * What a lane's score is made of, in micro-dollars that it is better by. Each weighs more than all that follow: a lane
 * of the account's own, a step of preference, the phone that the recipient knows, a phone that has not had its ideal
 * volume, one in the recipient's network, the price of purchase.
 */
const OWN = 1e13;
const PREFERENCE_STEP = 8e7;
const MOST_STEPS = 1e5;
export const STICKY = 4e7;
const BEYOND_IDEAL = 2e7;
const ON_NET = 1e7;
const MOST_COST = 1e7 - 1;
/** A lane that can't send now comes after all that can. */
const CANNOT_SEND = { DOWN: -3e14, REJECTING: -2e14, THROTTLED: -1e14 };

type Given = { around: Surroundings };
type Term = (lane: LaneFacts, message: RoutedMessage, given: Given) => number;

const ownTerm: Term = (lane, { accountId }) => (lane.dedicatedTo.includes(accountId) ? OWN : 0);
const preferenceTerm: Term = ({ preference }) =>
  -Math.max(-MOST_STEPS, Math.min(MOST_STEPS, preference)) * PREFERENCE_STEP;
const networkTerm: Term = (lane, message) => (isOnNet(lane, message) ? ON_NET : 0);
const costTerm: Term = (lane, { country }) =>
  lane.policy === 'cheapest' ? -Math.min(Number(unitCost(lane, country)), MOST_COST) : 0;
const TERMS: Term[] = [ownTerm, preferenceTerm, networkTerm, costTerm];

/** These scores depend on what was sent before, so a price must not depend on them. */
const stickyTerm: Term = (lane, message, { around }) => (isSticky(lane, message, around) ? STICKY : 0);
const volumeTerm: Term = (lane, _, { around }) => (isOverIdeal(lane, around) ? -BEYOND_IDEAL : 0);
const PASSING_TERMS: Term[] = [stickyTerm, volumeTerm];

const sumOf = (terms: Term[], lane: LaneFacts, message: RoutedMessage, given: Given): number =>
  terms.reduce((sum, term) => sum + term(lane, message, given), 0);

export interface LaneVerdict {
  lane: LaneFacts;
  /** The rule that keeps the message out, or makes it wait; null: it could be sent now. */
  rule: RoutingRule | null;
  /** Null: the lane may not have it. */
  score: number | null;
  /** The score if the lane could send now and had sent nothing before. */
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

/** One lane for this message. */
export const judgeLane = (lane: LaneFacts, message: RoutedMessage, given: Given): LaneVerdict => {
  const { around } = given;
  const worth = sumOf(TERMS, lane, message, given);
  const failed = (rule: RoutingRule): boolean => !rule.passes(lane, message, around);
  const lasting = LASTING_RULES.find(failed);
  const rule = lasting ?? PASSING_RULES.find(failed) ?? null;
  const verdict = { lane, rule, worth, weight: weightOf(lane, around.nowMs) };
  if (rule === null) return { ...verdict, score: worth + sumOf(PASSING_TERMS, lane, message, given) };
  if (lasting) return { ...verdict, score: null };
  // What waits for throttles is shared by what they allow, so that all lanes are done at the same time.
  if (isThrottle(rule.code))
    return {
      ...verdict,
      score: CANNOT_SEND.THROTTLED + ownTerm(lane, message, given),
      weight: perDay(lane),
    };
  return { ...verdict, score: worth + (rule.code === 'DOWN' ? CANNOT_SEND.DOWN : CANNOT_SEND.REJECTING) };
};

const scoreOf = ({ score }: LaneVerdict): number => score ?? Number.NEGATIVE_INFINITY;

/** Every lane with its score for this message, the best first. The one function that choosing and explaining use. */
export const judgeLanes = (facts: LaneFacts[], message: RoutedMessage, given: Given): LaneVerdict[] =>
  facts
    .map((lane) => judgeLane(lane, message, given))
    .toSorted((a, b) => (scoreOf(b) > scoreOf(a) ? 1 : scoreOf(b) < scoreOf(a) ? -1 : 0));
