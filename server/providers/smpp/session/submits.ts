import type { SendOutcome } from '../../../traffic/lanes/index.ts';
import type { SmppOptions } from '../smpp-options.ts';
import { openPatience } from './patience.ts';

export type Settle = (outcome: SendOutcome) => void;

interface Submitted {
  settle: Settle;
  sentAt: number;
}

interface SubmitEvents {
  room: () => void;
  overdue: () => void;
}

/** In windows: with so many overdue, the window is not refilled any more. */
const MOST_OVERDUE = 10;

/** What was submitted on a connection and waits for its answer. */
export const openSubmits = (
  { timeoutMs, window }: Pick<SmppOptions, 'timeoutMs' | 'window'>,
  events: SubmitEvents,
) => {
  /** In the order in which they were sent. */
  const inFlight = new Map<number, Submitted>();
  /** The same, in the same order, of those that were not answered as soon as others. */
  const overdue = new Map<number, Submitted>();
  const patience = openPatience(timeoutMs);
  let sweeper: NodeJS.Timeout | undefined;
  let over = false;

  /** While nothing is answered, one place at a time is given to another: the far end may be only slow. */
  const sweep = (): void => {
    sweeper = undefined;
    const now = performance.now();
    const before = inFlight.size;
    const isAnswering = patience.isAnswering();
    for (const [number, sent] of inFlight) {
      if (now - sent.sentAt < patience.ms() || overdue.size >= MOST_OVERDUE * window) break;
      inFlight.delete(number);
      overdue.set(number, sent);
      if (isAnswering) continue;
      patience.gaveUp();
      break;
    }
    if (inFlight.size < before) events.overdue();
    sweepSoon();
  };
  const sweepSoon = (): void => {
    if (sweeper || inFlight.size === 0 || over) return;
    sweeper = setTimeout(sweep, patience.ms() / 2).unref();
  };

  return {
    inFlight: () => inFlight.size,
    overdue: () => overdue.size,
    add: (number: number, settle: Settle): void => {
      inFlight.set(number, { settle, sentAt: performance.now() });
      sweepSoon();
    },
    /** Takes it out; nothing if it is not waited for. */
    answered: (number: number): Settle | undefined => {
      const sent = inFlight.get(number) ?? overdue.get(number);
      if (!sent) return undefined;
      if (!inFlight.delete(number)) overdue.delete(number);
      patience.answered(performance.now() - sent.sentAt);
      return sent.settle;
    },
    expire: (now: number): void => {
      const before = inFlight.size;
      for (const waiting of [overdue, inFlight])
        for (const [number, { settle, sentAt }] of waiting) {
          if (now - sentAt < timeoutMs) break;
          waiting.delete(number);
          settle({ outcome: 'unknown', reason: 'The message centre did not answer in time.' });
        }
      if (inFlight.size < before) events.room();
    },
    /** No answer comes any more. */
    end: (reason: string): void => {
      over = true;
      clearTimeout(sweeper);
      for (const { settle } of [...overdue.values(), ...inFlight.values()])
        settle({ outcome: 'unknown', reason });
      inFlight.clear();
      overdue.clear();
    },
  };
};
