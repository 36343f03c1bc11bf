import type { AccountId } from '../../contract/accounts.ts';
import type { Channel } from '../../contract/messages.ts';
import { type Choice, type Decision, decide, noLane } from './choice.ts';
import { type Explained, explainLanes } from './explain-lanes.ts';
import { judgeLanes, type RoutingPolicy } from './judge-lanes.ts';
import type { LaneFacts, RoutedMessage } from './lane-facts.ts';
import { type LaneTally, OFFER_RULES, roomOf, routesOfOwn, type Surroundings } from './rules.ts';

/** A decision with the tallies of its lanes at hand. */
interface Turn extends Choice {
  weight: number;
  tally: LaneTally;
}
interface Decided extends Omit<Decision, 'turns'> {
  turns: Turn[];
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
  for (const lane of facts) {
    const { credit = 0, probedMs = 0 } = before?.tallies.get(lane.id) ?? {};
    tallies.set(lane.id, { chosen: 0, left: roomOf(lane, { nowMs, probedMs }), credit, probedMs });
  }
  const tallyOf = ({ id }: LaneFacts): LaneTally => {
    const tally = tallies.get(id);
    if (!tally) throw new Error(`the lane ${id} is not among the facts`);
    return tally;
  };
  const byId = new Map(facts.map((lane) => [lane.id, lane]));
  const onlySimulators = facts.every(({ simulated }) => simulated);
  const owners = new Set<AccountId>(facts.flatMap(({ dedicatedTo }) => dedicatedTo));
  const decisions = new Map<string, Decided>();

  const judged = (message: RoutedMessage) => {
    const ownRoutes = owners.has(message.accountId) ? routesOfOwn(facts, message, onlySimulators) : undefined;
    const around: Surroundings = { nowMs, onlySimulators, ownRoutes, tallyOf };
    return { around, verdicts: judgeLanes(facts, message, { around, policy }) };
  };
  const keyOf = ({ channel, country, test, accountId }: RoutedMessage): string =>
    `${channel}/${country}/${test}/${owners.has(accountId) ? accountId : ''}`;
  const decisionFor = (message: RoutedMessage, { fresh = false } = {}): Decided => {
    const key = message.tried?.length ? undefined : keyOf(message);
    const known = fresh || key === undefined ? undefined : decisions.get(key);
    if (known) return known;
    const { turns, ...rest } = decide(judged(message).verdicts, message);
    const decided = { ...rest, turns: turns.map((turn) => ({ ...turn, tally: tallyOf(turn.lane) })) };
    if (key !== undefined) decisions.set(key, decided);
    return decided;
  };

  /** Smooth weighted round robin: every lane that can send earns its weight, and the richest pays for all. */
  const takeTurn = ({ turns, waits }: Decided, { earn }: { earn: boolean }): Turn | undefined => {
    let richest: Turn | undefined;
    let most = Number.NEGATIVE_INFINITY;
    let total = 0;
    for (const turn of turns) {
      const { tally, weight } = turn;
      if (!waits && tally.left <= 0) continue;
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
    tallies,
    lane: (id) => byId.get(id),
    choose: (message) => {
      const turn = required(message, { earn: true });
      turn.tally.chosen += 1;
      turn.tally.left -= 1;
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
      const around: Surroundings = { nowMs, onlySimulators, ownRoutes: undefined, tallyOf };
      const isOffered = facts.some((lane) =>
        OFFER_RULES.every(({ passes }) => passes(lane, message, around)),
      );
      return isOffered ? { simulated: test || onlySimulators } : undefined;
    },
  };
};
