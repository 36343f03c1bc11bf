import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { Journal } from '../../journal/index.ts';
import type { Carrier, SendOutcome, Throttle } from '../../lanes/index.ts';
import { type Claimed, type Fact, type LaneRecorder, resultOf } from '../../outbox/index.ts';
import type { Pace } from './lane-pace.ts';
import type { PumpFacts } from './pump-mode.ts';
import { NO_PAUSE, type Pause, pauseAfter } from './refusal-pause.ts';

export interface InFlightOptions {
  carrier: Carrier;
  recorder: LaneRecorder;
  journal: Journal;
  /** Called with each of the carrier's answers. */
  watch: (outcome: SendOutcome) => void;
  /** How many it may send. */
  throttle: Throttle;
  pace: Pick<Pace, 'began' | 'ended'>;
  /** A message has its answer. */
  onAnswer: () => void;
  /** Its result is stored. */
  onStored: (message: Claimed) => void;
  /** The recorder has done with a result, stored or not. */
  onWritten: () => void;
  /** Results were waiting for the database, and nothing more was sent. */
  onRoom: () => void;
}

/** Results that the database has not stored yet; beyond this nothing more is sent. */
const MOST_UNWRITTEN = 2_000;

/** What the carrier has and has not answered, and what it answered and is not stored yet. */
export const openInFlight = (options: InFlightOptions) => {
  const { carrier, recorder, journal, watch, throttle, pace } = options;
  const { onAnswer, onStored, onWritten, onRoom } = options;
  const inFlight = new Map<MessageId, { message: Claimed; since: number }>();
  let unwritten = 0;
  let pause: Pause = NO_PAUSE;

  /** One that can't be written stays claimed: it must not be taken for a stray and go out again. */
  const written = (fact: Fact, error?: unknown): void => {
    unwritten -= 1;
    if (fact.kind === 'result' && error === undefined) journal.end(fact.result.message);
    if (fact.kind === 'result') onStored(fact.result.message as Claimed);
    if (unwritten === MOST_UNWRITTEN - 1) onRoom();
    onWritten();
  };

  const settle = (message: Claimed, outcome: SendOutcome): void => {
    // A message that was given up is not settled again by a late answer.
    if (!inFlight.delete(message.id)) return;
    const at = Date.now();
    journal.answer(message, { outcome, at });
    pace.ended();
    watch(outcome);
    pause = pauseAfter(pause, outcome, { window: carrier.window, now: Date.now() });
    unwritten += 1;
    recorder.put({ kind: 'result', result: resultOf(message, outcome, at) }, written);
    onAnswer();
  };
  const giveUp = (message: Claimed, reason: string): void => settle(message, { outcome: 'unknown', reason });

  const hand = (message: Claimed): void => {
    pace.began();
    throttle.note(Date.now(), 1);
    carrier.send(message).then(
      (outcome) => settle(message, outcome),
      (error: Error) => giveUp(message, error.message),
    );
  };

  return {
    size: (): number => inFlight.size,
    /** How many may be in flight now. */
    window: (): number =>
      carrier.room ? Math.min(carrier.window, inFlight.size + carrier.room()) : carrier.window,
    mayGo: (now: number): boolean =>
      carrier.isUp() && now >= pause.until && unwritten < MOST_UNWRITTEN && throttle.room(now) > 0,
    facts: (now: number): Pick<PumpFacts, 'pausedUntil' | 'throttledMs'> => ({
      pausedUntil: pause.until,
      throttledMs:
        throttle.room(now) > 0 ? Number.POSITIVE_INFINITY : Math.max(1, throttle.freeAt(now) - now),
    }),
    /** All of them are in flight before the first is sent. */
    send: (messages: Claimed[], now: number): void => {
      for (const message of messages) inFlight.set(message.id, { message, since: now });
      for (const message of messages) hand(message);
    },
    giveUpSilent: (answerMs: number): void => {
      const before = Date.now() - answerMs;
      for (const { message, since } of [...inFlight.values()])
        if (since < before) giveUp(message, 'The carrier gave no answer.');
    },
    /** Waits for what is in flight. */
    finish: async (timeoutMs: number): Promise<void> => {
      const end = Date.now() + timeoutMs;
      while (inFlight.size > 0 && Date.now() < end) await sleep(10);
      for (const { message } of [...inFlight.values()])
        giveUp(message, 'The carrier had not answered when the worker ended.');
    },
  };
};
