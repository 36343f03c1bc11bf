import {
  AGENT_REPEAT_MS,
  type AgentFrame,
  type AgentSend,
  agentFrame,
  type HandOverId,
  type Heartbeat,
  type Hello,
  SILENT_MS,
} from '../../../contract/fleet/agent-protocol.ts';
import type { OpenHandOver } from './hand-over-store.ts';
import type { KeptFrame } from './take-frames.ts';

/** Of a refusal, as the protocol allows. */
const MOST_REASON = 200;
const VALIDITY_MINUTES = 24 * 60;

const isHello = (given: unknown): boolean =>
  typeof given === 'object' && given !== null && 'type' in given && given.type === 'hello';
/** What a modem or a sender wrote must not keep the rest from being stored, which knows no NUL. */
const withoutNul = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;

/** The frame, or what is wrong with it. */
export const readFrame = (text: string): { frame: AgentFrame } | { fault: string } => {
  try {
    const given: unknown = JSON.parse(text);
    const { data, error } = agentFrame.safeParse(isHello(given) ? given : JSON.parse(text, withoutNul));
    if (data) return { frame: data };
    const [issue] = error.issues;
    return { fault: `${issue?.path.join('.')}: ${issue?.message}`.slice(0, MOST_REASON) };
  } catch {
    return { fault: 'It is not JSON.' };
  }
};

export type Step =
  | { step: 'greet'; hello: Hello }
  | { step: 'store'; frame: Heartbeat | KeptFrame }
  | { step: 'taken'; id: HandOverId }
  /** It is a frame that may not come now. */
  | { step: 'end' };

/** What a frame does to a connection that is not over. */
export const stepFor = (mode: 'silent' | 'greeting' | 'open', frame: AgentFrame): Step => {
  if (frame.type === 'hello') return mode === 'silent' ? { step: 'greet', hello: frame } : { step: 'end' };
  if (mode !== 'open') return { step: 'end' };
  return frame.type === 'taken' ? { step: 'taken', id: frame.id } : { step: 'store', frame };
};

/** What was given here or is on the agent's disk, with when to say it again if it is not taken by then. */
export type Given = Map<HandOverId, number>;
export const TAKEN = Number.POSITIVE_INFINITY;

/** Of the agent's open hand-overs: those to say now, and what is given then. */
export const giveDue = (
  given: ReadonlyMap<HandOverId, number>,
  handOvers: OpenHandOver[],
  now: number,
): { given: Given; sends: AgentSend[] } => {
  const isDue = ({ id }: OpenHandOver) => (given.get(id) ?? 0) <= now;
  const againAt = (one: OpenHandOver) => (isDue(one) ? now + AGENT_REPEAT_MS : given.get(one.id)) ?? 0;
  return {
    given: new Map(handOvers.map((one) => [one.id, againAt(one)])),
    sends: handOvers.filter(isDue).map(({ id, modem, recipient, text, until }) => ({
      type: 'send',
      id,
      modem,
      recipient,
      text,
      until: until.toISOString(),
      validityMinutes: VALIDITY_MINUTES,
      receipt: true,
    })),
  };
};

/** Who was silent for too long is cut. */
export const isSilent = (heardAt: number, now: number): boolean => now - heardAt > SILENT_MS;
