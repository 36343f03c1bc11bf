import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import { type Choice, noLane } from './choice.ts';
import { openDecisions } from './decisions.ts';
import { type Explained, explainLanes } from './explain-lanes.ts';
import { judgeLane } from './judge-lanes.ts';
import { type LaneFacts, type RoutedMessage, unitCost } from './lane-facts.ts';
import { isKnownRecipient, type LaneTally, OFFER_RULES } from './rules.ts';
import { openSurroundings } from './surroundings.ts';
import { type Decided, type Turn, takeTurn } from './turns.ts';

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
  /** Undefined if the lane is not among the facts. */
  lane: (id: number) => LaneFacts | undefined;
  /** What the next chooser, with fresh facts, goes on with. */
  tallies: ReadonlyMap<number, LaneTally>;
  /** Whether a phone may get it: then it matters whom phones know, and whose network it goes to. */
  phonesMatter: (message: RoutedMessage) => boolean;
}

interface Options {
  nowMs: number;
  /** The chooser that this one replaces; it takes over whose turn it is. */
  before?: Chooser | undefined;
  /** Numbers of phones that are not among the facts: no other lane may send what is to be from them. */
  phoneSenders?: Iterable<string> | undefined;
}

const offerOf = (
  facts: LaneFacts[],
  { around, onlySimulators }: Pick<ReturnType<typeof openSurroundings>, 'around' | 'onlySimulators'>,
  { channel, test }: Parameters<Chooser['offer']>[0],
): Offer => {
  const simulated = test || onlySimulators;
  const message = { channel, test: simulated, country: '', accountId: '' as AccountId };
  const surroundings = around(message);
  const available = facts.some((lane) =>
    OFFER_RULES.every(({ passes }) => passes(lane, message, surroundings)),
  );
  return { available, simulated };
};

/**
 * Chooses lanes for many messages by the same facts. Messages of one channel, country and kind of account are alike:
 * lanes are judged for the first of them, and again when the lanes it may go to are full.
 */
export const openChooser = (
  facts: LaneFacts[],
  { nowMs, before, phoneSenders: others = [] }: Options,
): Chooser => {
  const known = openSurroundings(facts, { nowMs, past: before?.tallies, phoneSenders: others });
  const { tallies, tallyOf, byId, hasPhones, around } = known;
  const { judged, decisionFor, settleAll } = openDecisions(facts, known);

  /** The phone that the recipient knows, if it is worth more to them than the next one's turn. */
  const takeSticky = (message: RoutedMessage, decided: Decided, { earn }: { earn: boolean }) => {
    const lane = message.last && byId.get(message.last.laneId);
    if (!lane?.phone) return undefined;
    const { rule, score, weight } = judgeLane(lane, message, { around: around(message) });
    if (rule !== null || score === null || score <= decided.score) return undefined;
    const tally = tallyOf(lane);
    if (earn && decided.members.has(lane)) {
      tally.credit -= decided.total;
      decided.pendingCredit += 1;
    }
    const unitCostMicros = unitCost(lane, message.country);
    return { lane, weight, tally, beyond: false, why: 'STICKY' as const, unitCostMicros };
  };

  const next = (message: RoutedMessage, how: { earn: boolean }): Turn | undefined => {
    const decided = decisionFor(message);
    return (
      takeSticky(message, decided, how) ??
      takeTurn(decided, how) ??
      (decided.turns.length > 0 ? takeTurn(decisionFor(message, { fresh: true }), how) : undefined)
    );
  };

  const required = (message: RoutedMessage, how: { earn: boolean }): Turn => {
    const turn = next(message, how);
    if (!turn) throw noLane(message);
    return turn;
  };

  return {
    get tallies() {
      settleAll();
      return tallies;
    },
    lane: (id) => byId.get(id),
    phonesMatter: (message) => hasPhones && decisionFor(message).phonesMatter,
    choose: (message) => {
      const turn = required(message, { earn: true });
      turn.tally.chosen += 1;
      turn.tally.left -= 1;
      turn.tally.volumeLeft -= 1;
      if (!isKnownRecipient(turn.lane, message)) turn.tally.recipientsLeft -= 1;
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
    offer: (asked) => offerOf(facts, known, asked),
  };
};
