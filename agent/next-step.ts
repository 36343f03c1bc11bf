import {
  AGENT_REPEAT_MS,
  type AgentFrame,
  type AgentSend,
  type AgentSettings,
} from '../contract/fleet/agent-protocol.ts';
import type { HandOver } from './journal/state.ts';
import { type ModemOutcome, refusedOutcome, unknown } from './modems/modem.ts';

/** In one round: the server leaves out what it can't hold. */
const MOST_SAID = 1_000;
const BALANCE_EVERY_MINUTES = 360;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/**
 * What is not acknowledged and was said longest ago, or never. What has waited longest comes first, so that frames which
 * the server can't store don't keep back the others.
 */
export const dueAgain = <Frame extends { id: string }>(
  frames: Frame[],
  { saidAt, now, olderThanMs }: { saidAt: ReadonlyMap<string, number>; now: number; olderThanMs: number },
): Frame[] => {
  const waitedMs = ({ id }: Frame): number => now - (saidAt.get(id) ?? -AGENT_REPEAT_MS);
  return frames
    .filter((frame) => waitedMs(frame) >= olderThanMs)
    .toSorted((one, other) => waitedMs(other) - waitedMs(one))
    .slice(0, MOST_SAID);
};

/** A hand-over is done once, however often it is asked for: the frame that answers a repetition. */
export const answerTo = ({ id }: AgentSend, known: HandOver | undefined): AgentFrame | undefined =>
  known && (known.result ?? { type: 'taken', id });

/** What comes of a hand-over for a modem that is not in the settings. */
export const withoutModem = ({ modem }: AgentSend, begun: boolean): ModemOutcome => {
  const told = { parts: 1, code: 'NO_MODEM', reason: `The agent has no modem named ${modem}.` };
  return begun ? unknown(told) : refusedOutcome(told);
};

export const pausesOf = ({
  heartbeatSeconds,
  balanceEveryMinutes = BALANCE_EVERY_MINUTES,
}: AgentSettings): { heartbeatMs: number; balanceMs: number } => ({
  heartbeatMs: heartbeatSeconds * SECOND_MS,
  balanceMs: balanceEveryMinutes * MINUTE_MS,
});
