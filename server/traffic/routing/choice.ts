import { DomainError } from '../../ground/domain-error.ts';
import { type LaneVerdict, STICKY } from './judge-lanes.ts';
import { type LaneFacts, type RoutedMessage, unitCost } from './lane-facts.ts';

/**
 * Why a message got its lane. ONLY: no other may have it. INSTEAD: a better one can't send now. DEDICATED: the account's
 * own. STICKY: the phone that the recipient knows. SPREAD: equals take turns. WAITS: none can send now.
 * CONVERSATION: whoever sends bound it to the number that the customer wrote to. TRIED: an admin tests the lane.
 * DEVICE: the message named it.
 */
export const LANE_REASONS = [
  'ONLY',
  'INSTEAD',
  'DEDICATED',
  'STICKY',
  'SPREAD',
  'CHEAPEST',
  'PREFERRED',
  'WAITS',
  'CONVERSATION',
  'TRIED',
  'DEVICE',
] as const;
export type LaneReason = (typeof LANE_REASONS)[number];

export interface Choice {
  lane: LaneFacts;
  why: LaneReason;
  unitCostMicros: bigint;
}

/** Lanes that take over from each other are equals if they have the same score; others never take turns. */
const isPeer = (a: LaneFacts, b: LaneFacts): boolean => a === b || (a.route !== '' && a.route === b.route);

const whyOf = (
  best: LaneVerdict,
  usable: LaneVerdict[],
  { accountId, last, device }: RoutedMessage,
): LaneReason => {
  const others = usable.filter((one) => one !== best);
  if (best.rule !== null) return 'WAITS';
  if (device) return 'DEVICE';
  if (last?.laneId === best.lane.id) return 'STICKY';
  if (others.length === 0) return 'ONLY';
  if (others.some(({ worth }) => worth > best.worth)) return 'INSTEAD';
  if (best.lane.dedicatedTo.includes(accountId)) return 'DEDICATED';
  if (others.some(({ worth, lane }) => worth === best.worth && isPeer(lane, best.lane))) return 'SPREAD';
  const isCheapest = others.some(
    ({ worth, lane }) => worth < best.worth && lane.preference === best.lane.preference,
  );
  return isCheapest ? 'CHEAPEST' : 'PREFERRED';
};

/** What the judgements of all lanes amount to. */
export interface Decision {
  /** The lanes that take turns; empty if no lane may have the message. */
  turns: (Choice & { weight: number })[];
  /** Of these. */
  score: number;
  /** Whether the recipient could know one of the phones well enough to get it instead. */
  phonesMatter: boolean;
  waits: boolean;
  /** Of the lane that would be chosen if all could send: prices depend on it, and not on the state of lanes. */
  carrier: string;
}

export const decide = (verdicts: LaneVerdict[], message: RoutedMessage): Decision => {
  const usable = verdicts.filter(({ score }) => score !== null);
  const [best] = usable;
  if (!best)
    return { turns: [], score: Number.NEGATIVE_INFINITY, phonesMatter: false, waits: false, carrier: '' };
  // Among equals the oldest, whatever it has sent.
  const worthiest = usable.reduce((a, b) =>
    b.worth > a.worth || (b.worth === a.worth && b.lane.id < a.lane.id) ? b : a,
  );
  const why = whyOf(best, usable, message);
  return {
    turns: usable
      .filter(({ score, lane }) => score === best.score && isPeer(lane, best.lane))
      .map(({ lane, weight }) => ({
        lane,
        weight,
        why,
        unitCostMicros: unitCost(lane, message.country),
      })),
    score: best.score ?? Number.NEGATIVE_INFINITY,
    phonesMatter: usable.some(({ lane, worth }) => lane.phone !== null && worth + STICKY > (best.score ?? 0)),
    waits: best.rule !== null,
    carrier: worthiest.lane.carrier,
  };
};

export const noLane = ({ channel }: Pick<RoutedMessage, 'channel'>): DomainError =>
  new DomainError('E_NO_LANE', { channel });
