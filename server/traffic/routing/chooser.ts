import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import { DEFAULT_TIME_ZONE } from '../../../contract/ground/constants.ts';
import { localTime } from '../../ground/local-time/index.ts';
import { type Choice, type Decision, decide, noLane } from './choice.ts';
import { type Explained, explainLanes } from './explain-lanes.ts';
import { judge, judgeLanes } from './judge-lanes.ts';
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

export interface Offer {
  available: boolean;
  simulated: boolean;
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
  /**
   * What the operator's lanes do with messages of this channel that name no device. `simulated`: also without the test
   * secret, where nothing real is configured for any channel. `available`: there is such a lane, for some country.
   */
  offer: (asked: { channel: Channel; test: boolean }) => Offer;
  /** Undefined if it was not among the facts. */
  lane: (id: number) => LaneFacts | undefined;
  /** What the next chooser, with fresh facts, goes on with. */
  tallies: ReadonlyMap<number, LaneTally>;
  /** Whether a phone may get it: then it matters whom phones know, and whose network it goes to. */
  phonesMatter: (message: RoutedMessage) => boolean;
}

interface Options {
  nowMs: number;
  /** The one that it replaces: turns go on. */
  before?: Chooser | undefined;
  /** Numbers of phones that are not among the facts: no other lane may send what is to be from them. */
  phoneSenders?: Iterable<string> | undefined;
}

export const phoneSendersOf = (facts: LaneFacts[]): string[] =>
  facts.flatMap(({ phone, sender }) => (phone && sender ? [sender] : []));

/**
 * Chooses lanes for many messages by the same facts. Messages of one channel, country and kind of account are alike:
 * lanes are judged for the first of them, and again when the lanes it may go to are full.
 */
export const openChooser = (
  facts: LaneFacts[],
  { nowMs, before, phoneSenders: others = [] }: Options,
): Chooser => {
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
  // A device is one account's own and changes nothing for messages that don't name it.
  const onlySimulators = facts.every(({ simulated, device }) => simulated || device !== null);
  const aliases = new Set(facts.flatMap(({ phone }) => phone?.aliases ?? []));
  const phoneSenders = new Set([...others, ...phoneSendersOf(facts)]);
  // A device is found by its name, not because it is the account's own.
  const owners = new Set<AccountId>(
    facts.filter(({ device }) => device === null).flatMap(({ dedicatedTo }) => dedicatedTo),
  );
  const decisions = new Map<string, Decided>();
  const hour = Number(localTime(new Date(nowMs), DEFAULT_TIME_ZONE).slice(11, 13));

  const aroundOf = (message: RoutedMessage): Surroundings => ({
    nowMs,
    hour,
    phoneSenders,
    ownRoutes: owners.has(message.accountId) ? routesOfOwn(facts, message) : undefined,
    tallyOf,
  });
  const judged = (message: RoutedMessage) => {
    const around = aroundOf(message);
    return { around, verdicts: judgeLanes(facts, message, { around }) };
  };
  /** Without phones it does not matter what a message is from, and all others' names are alike. */
  const senderKind = (from: string): string =>
    phoneSenders.has(from) ? from : hasPhones && from ? 'other' : '';
  const keyOf = ({ channel, country, test, accountId, carrier, device, from }: RoutedMessage): string =>
    !device
      ? `${channel}/${country}/${test}/${owners.has(accountId) ? accountId : ''}/${aliases.has(carrier ?? '') ? carrier : ''}/${senderKind(from ?? '')}`
      : `${channel}/${country}/${test}/${accountId}/${device}/${senderKind(from ?? '')}`;
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
    const { rule, score, weight } = judge(lane, message, { around: aroundOf(message) });
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
      const simulated = test || onlySimulators;
      const message = { channel, test: simulated, country: '', accountId: '' as AccountId };
      const around = aroundOf(message);
      const available = facts.some((lane) =>
        OFFER_RULES.every(({ passes }) => passes(lane, message, around)),
      );
      return { available, simulated };
    },
  };
};
