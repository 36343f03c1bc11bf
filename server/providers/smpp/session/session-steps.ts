import type { SmppOptions } from '../smpp-options.ts';

/** Of a session. */
export type Mode = 'connecting' | 'binding' | 'bound' | 'unbinding' | 'over';

/** When the far end was heard. */
export interface Pulse {
  /** Since the last look. */
  heard: boolean;
  /** At the last look that found it had been; before the bind, when the connection was begun. */
  heardAt: number;
  /** When it was asked whether it is there, while it has not answered. */
  askedAt: number | undefined;
}

type Times = Pick<SmppOptions, 'timeoutMs' | 'enquireLinkMs'>;

/** How often to look. */
export const lookEveryMs = ({ timeoutMs, enquireLinkMs }: Times): number =>
  Math.max(10, Math.min(timeoutMs, enquireLinkMs) / 8);

/** What a look at the pulse leads to, and what is known of it after. */
export const nextPulse = (
  mode: Mode,
  pulse: Pulse,
  now: number,
  { timeoutMs, enquireLinkMs }: Times,
): { next: 'wait' | 'bind is late' | 'ask' | 'is silent'; pulse: Pulse } => {
  if (mode === 'connecting' || mode === 'binding')
    return { next: now - pulse.heardAt >= timeoutMs ? 'bind is late' : 'wait', pulse };
  const known = pulse.heard ? { heard: false, heardAt: now, askedAt: undefined } : pulse;
  if (known.askedAt !== undefined)
    return { next: now - known.askedAt >= timeoutMs ? 'is silent' : 'wait', pulse: known };
  if (now - known.heardAt < enquireLinkMs) return { next: 'wait', pulse: known };
  return { next: 'ask', pulse: { ...known, askedAt: now } };
};

/** What a generic_nack refuses: it may leave out the number of a bind. */
export const nackedRequest = (
  mode: Mode,
  number: number,
  { bindSequence, isQuery }: { bindSequence: number; isQuery: boolean },
): 'bind' | 'query' | 'submit' => {
  if (mode === 'binding' && (number === bindSequence || number === 0)) return 'bind';
  return isQuery ? 'query' : 'submit';
};
