import { decide } from './choice.ts';
import { judgeLanes } from './judge-lanes.ts';
import type { LaneFacts, RoutedMessage } from './lane-facts.ts';
import { isOverIdeal } from './phone-terms.ts';
import type { openSurroundings } from './surroundings.ts';
import { type Decided, settle } from './turns.ts';

type Known = Pick<ReturnType<typeof openSurroundings>, 'around' | 'alikeKey' | 'tallyOf'>;

/** One decision for all messages that are alike, made for the first of them; `fresh` makes it anew. */
export const openDecisions = (facts: LaneFacts[], { around, alikeKey, tallyOf }: Known) => {
  const decisions = new Map<string, Decided>();
  const judged = (message: RoutedMessage) => {
    const given = { around: around(message) };
    return { ...given, verdicts: judgeLanes(facts, message, given) };
  };
  const decisionFor = (message: RoutedMessage, { fresh = false } = {}): Decided => {
    const key = message.tried?.length ? undefined : alikeKey(message);
    const known = fresh || key === undefined ? undefined : decisions.get(key);
    if (known) return known;
    // Which phone the recipient knows differs from message to message, so it is not part of what alike messages
    // share.
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
      pendingCredit: 0,
    };
    if (key !== undefined) decisions.set(key, decided);
    return decided;
  };

  return {
    judged,
    decisionFor,
    settleAll: (): void => {
      for (const decided of decisions.values()) settle(decided);
    },
  };
};
