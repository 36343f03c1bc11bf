import type { AccountId } from '../../contract/accounts.ts';
import { DEFAULT_TIME_ZONE } from '../../contract/constants.ts';
import type { Channel } from '../../contract/messages.ts';
import { localTime } from '../local-time/index.ts';
import { type Choice, type Decision, decide, noLane } from './choice.ts';
import { type Explained, explainLanes } from './explain-lanes.ts';
import { judge, judgeLanes, type RoutingPolicy } from './judge-lanes.ts';
import { type LaneFacts, type RoutedMessage, unitCost } from './lane-facts.ts';
import { isOverIdeal } from './phone-terms.ts';
import {
  isMet,
  type LaneTally,
  OFFER_RULES,
  phoneRoomOf,
  roomOf,
  routesOfOwn,
  type Surroundings,
} from './rules.ts';

/** A decision with the tallies of its lanes at hand. */
interface Turn extends Choice {
  weight: number;
  tally: LaneTally;
  /** It had had its ideal volume when this was decided. */
  beyond: boolean;
}
interface Decided extends Omit<Decision, 'turns'> {
  turns: Turn[];
  /** Rounds in which somebody's own phone was chosen: the others have not earned for them yet. */
  unearned: number;
  /** All weights together. */
  total: number;
  members: ReadonlySet<LaneFacts>;
}

export interface Chooser {
  /** Counts it as chosen. Throws E_NO_LANE. */
  choose: (message: RoutedMessage) => Choice;
  /** The same, but nothing is counted. */
  peek: (message: RoutedMessage) => Choice;
  /** Whose carrier the price follows. Throws E_NO_LANE. */
  carrierFor: (message: RoutedMessage) => string;
  /** What `choose` would do now, and what decided about each lane, the chosen one first. */
  explain: (message: RoutedMessage) => Explained[];
  /** Whether messages of this channel go through a simulator; undefined if there is no lane, for any country. */
  offer: (asked: { channel: Channel; test: boolean }) => { simulated: boolean } | undefined;
  /** Undefined if it was not among the facts. */
  lane: (id: number) => LaneFacts | undefined;
  /** What the next chooser, with fresh facts, goes on with. */
  tallies: ReadonlyMap<number, LaneTally>;
  /** Whether a phone may get it: then it matters whom phones know, and whose network it goes to. */
  phonesMatter: (message: RoutedMessage) => boolean;
}

interface Options {
  nowMs: number;
  policy?: RoutingPolicy;
  /** The one that it replaces: turns go on. */
  before?: Chooser | undefined;
}

/**
 * Chooses lanes for many messages by the same facts. Messages of one channel, country and kind of account are alike:
 * lanes are judged for the first of them, and again when the lanes it may go to are full.
 */
export const openChooser = (facts: LaneFacts[], { nowMs, policy = 'cheapest', before }: Options): Chooser => {
  const tallies = new Map<number, LaneTally>();
  const past = before?.tallies;
  for (const lane of facts) {
    const { credit = 0, probedMs = 0 } = past?.get(lane.id) ?? {};
    const left = roomOf(lane, { nowMs, probedMs });
    tallies.set(lane.id, { chosen: 0, left, ...phoneRoomOf(lane), credit, probedMs });
  }
  const tallyOf = ({ id }: LaneFacts): LaneTally => {
    const tally = tallies.get(id);
    if (!tally) throw new Error(`the lane ${id} is not among the facts`);
    return tally;
  };
  const hasPhones = facts.some(({ phone }) => phone !== null);
  const byId = new Map(facts.map((lane) => [lane.id, lane]));
  const onlySimulators = facts.every(({ simulated }) => simulated);
  const aliases = new Set(facts.flatMap(({ phone }) => phone?.aliases ?? []));
  const owners = new Set<AccountId>(facts.flatMap(({ dedicatedTo }) => dedicatedTo));
  const decisions = new Map<string, Decided>();
  const hour = Number(localTime(new Date(nowMs), DEFAULT_TIME_ZONE).slice(11, 13));

  const aroundOf = (message: RoutedMessage): Surroundings => ({
    nowMs,
    hour,
    onlySimulators,
    ownRoutes: owners.has(message.accountId) ? routesOfOwn(facts, message, onlySimulators) : undefined,
    tallyOf,
  });
  const judged = (message: RoutedMessage) => {
    const around = aroundOf(message);
    return { around, verdicts: judgeLanes(facts, message, { around, policy }) };
  };
  const keyOf = ({ channel, country, test, accountId, carrier }: RoutedMessage): string =>
    `${channel}/${country}/${test}/${owners.has(accountId) ? accountId : ''}/${aliases.has(carrier ?? '') ? carrier : ''}`;
  const decisionFor = (message: RoutedMessage, { fresh = false } = {}): Decided => {
    const key = message.tried?.length ? undefined : keyOf(message);
    const known = fresh || key === undefined ? undefined : decisions.get(key);
    if (known) return known;
    // Whom the recipient knows is no matter of what all alike messages have in common.
    const alike = { ...message, last: undefined };
    const { turns, ...rest } = decide(judged(alike).verdicts, alike);
    const decided = {
      ...rest,
      turns: turns.map((turn) => ({
        ...turn,
        tally: tallyOf(turn.lane),
        beyond: isOverIdeal(turn.lane, { tallyOf }),
      })),
      total: turns.reduce((sum, { weight }) => sum + weight, 0),
      members: new Set(turns.map(({ lane }) => lane)),
      unearned: 0,
    };
    if (key !== undefined) decisions.set(key, decided);
    return decided;
  };

  const isSpent = ({ tally, beyond }: Turn): boolean =>
    tally.left <= 0 || tally.peopleLeft <= 0 || (!beyond && tally.idealLeft <= 0);
  const settle = (decided: Decided): void => {
    for (const { tally, weight } of decided.turns) tally.credit += weight * decided.unearned;
    decided.unearned = 0;
  };

  /** The phone that the recipient knows, if it is worth more to them than the next one's turn. */
  const takeSticky = (message: RoutedMessage, decided: Decided, { earn }: { earn: boolean }) => {
    const lane = message.last && byId.get(message.last.laneId);
    if (!lane?.phone) return undefined;
    const { rule, score, weight } = judge(lane, message, { around: aroundOf(message), policy });
    if (rule !== null || score === null || score <= decided.score) return undefined;
    const tally = tallyOf(lane);
    if (earn && decided.members.has(lane)) {
      tally.credit -= decided.total;
      decided.unearned += 1;
    }
    const unitCostMicros = unitCost(lane, message.country);
    return { lane, weight, tally, beyond: false, why: 'STICKY' as const, unitCostMicros };
  };

  /** Smooth weighted round robin: every lane that can send earns its weight, and the richest pays for all. */
  const takeTurn = (decided: Decided, { earn }: { earn: boolean }): Turn | undefined => {
    const { turns, waits } = decided;
    if (decided.unearned > 0) settle(decided);
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
  const next = (message: RoutedMessage, how: { earn: boolean }): Turn | undefined => {
    const known = decisionFor(message);
    return (
      takeSticky(message, known, how) ??
      takeTurn(known, how) ??
      (known.turns.length > 0 ? takeTurn(decisionFor(message, { fresh: true }), how) : undefined)
    );
  };

  const required = (message: RoutedMessage, how: { earn: boolean }): Turn => {
    const turn = next(message, how);
    if (!turn) throw noLane(message);
    return turn;
  };

  return {
    get tallies() {
      for (const decided of decisions.values()) settle(decided);
      return tallies;
    },
    lane: (id) => byId.get(id),
    phonesMatter: (message) => hasPhones && decisionFor(message).phonesMatter,
    choose: (message) => {
      const turn = required(message, { earn: true });
      turn.tally.chosen += 1;
      turn.tally.left -= 1;
      turn.tally.idealLeft -= 1;
      if (!isMet(turn.lane, message)) turn.tally.peopleLeft -= 1;
      if (turn.lane.rejectingSince) turn.tally.probedMs = nowMs;
      return turn;
    },
    peek: (message) => required(message, { earn: false }),
    carrierFor: (message) => {
      const { turns, carrier } = decisionFor(message);
      if (turns.length === 0) throw noLane(message);
      return carrier;
    },
    explain: (message) =>
      explainLanes({ ...judged(message), message, chosen: next(message, { earn: false }) }),
    offer: ({ channel, test }) => {
      const message = { channel, test, country: '', accountId: '' as AccountId };
      const around: Surroundings = { nowMs, hour, onlySimulators, ownRoutes: undefined, tallyOf };
      const isOffered = facts.some((lane) =>
        OFFER_RULES.every(({ passes }) => passes(lane, message, around)),
      );
      return isOffered ? { simulated: test || onlySimulators } : undefined;
    },
  };
};
