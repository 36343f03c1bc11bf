import type { RelayOptions } from '../relay-options.ts';

type Times = Pick<RelayOptions, 'timeoutMs' | 'connectMs' | 'idleMs'>;

/** Of a session. */
export type Mode = 'greeting' | 'ready' | 'quitting' | 'over';

export interface Silence {
  mode: Mode;
  /** Whether an answer is still to come. */
  isAnswerDue: boolean;
  /** Since either side said something. */
  silentMs: number;
  /** Whether the connection is kept alive when idle. */
  stays: boolean;
}

/** How often to look for silence. */
export const lookEveryMs = ({ timeoutMs, connectMs, idleMs }: Times): number =>
  Math.max(10, Math.min(timeoutMs, idleMs, connectMs) / 8);

/** What to do about a silence. */
export const afterSilence = (
  { mode, isAnswerDue, silentMs, stays }: Silence,
  { timeoutMs, connectMs, idleMs }: Times,
): 'wait' | 'give up' | 'NOOP' | 'QUIT' => {
  if (isAnswerDue) return silentMs >= (mode === 'greeting' ? connectMs : timeoutMs) ? 'give up' : 'wait';
  if (mode !== 'ready' || silentMs < idleMs) return 'wait';
  return stays ? 'NOOP' : 'QUIT';
};
