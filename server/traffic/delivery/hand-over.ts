import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import type { Journal } from '../journal/index.ts';
import type { Carrier, SendOutcome, Throttle } from '../lanes/index.ts';
import { type Claim, type Claimed, type Fact, type LaneRecorder, resultOf } from '../outbox/index.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { openPace } from './lane-pace.ts';

export interface HandOverOptions {
  carrier: Carrier;
  recorder: LaneRecorder;
  journal: Journal;
  /** Called with each of the carrier's answers. */
  watch: (outcome: SendOutcome) => void;
  /** Whether the lease is still ours by our own clock. */
  isHeld: () => boolean;
  /** How many lanes this worker serves at this moment that have work. */
  busyLanes: () => number;
  /** How many it may send. */
  throttle: Throttle;
}

interface Listener {
  /** A message has its answer. */
  onAnswer: () => void;
  /** Its result is stored. */
  onStored: (message: Claimed) => void;
  /** Results were waiting for the database, and nothing more was sent. */
  onRoom: () => void;
}

/** Results that the database has not stored yet; beyond this nothing more is sent. */
const MOST_UNWRITTEN = 2_000;
const URGENT = 0;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Hands claimed messages to the carrier, with as many in flight as its window allows, and passes on its answers. Each
 * handover is in the journal before the carrier has the message.
 */
export const openHandOver = (
  { timing }: Pick<DeliveryDeps, 'timing'>,
  { carrier, recorder, journal, watch, isHeld, busyLanes, throttle }: HandOverOptions,
  { onAnswer, onStored, onRoom }: Listener,
) => {
  /** Claimed and not handed over yet, in order. */
  let ready: Claimed[] = [];
  /** When each claim came, the oldest first; of which some may be ready. */
  let came: { claim: Claim; at: number }[] = [];
  const inFlight = new Map<MessageId, { message: Claimed; since: number }>();
  const pace = openPace();
  let over = false;
  let unwritten = 0;
  let refusals = 0;
  let pausedUntil = 0;
  let soon = false;

  /** How many may be in flight now. */
  const windowNow = (): number =>
    carrier.room ? Math.min(carrier.window, inFlight.size + carrier.room()) : carrier.window;

  const mayGo = (): boolean =>
    !over &&
    isHeld() &&
    carrier.isUp() &&
    Date.now() >= pausedUntil &&
    unwritten < MOST_UNWRITTEN &&
    throttle.room(Date.now()) > 0;

  /** One that can't be written stays claimed: it must not be taken for a stray and go out again. */
  const written = (fact: Fact, error?: unknown): void => {
    unwritten -= 1;
    if (fact.kind === 'result' && error === undefined) journal.end(fact.result.message);
    if (fact.kind === 'result') onStored(fact.result.message as Claimed);
    if (unwritten === MOST_UNWRITTEN - 1) onRoom();
    if (ready.length > 0 && inFlight.size < windowNow()) goSoon();
  };

  const pauseAfter = (outcome: SendOutcome): void => {
    if (outcome.outcome === 'accepted') refusals = 0;
    if (outcome.outcome !== 'refused' || !outcome.retryable || outcome.notBefore) return;
    refusals += 1;
    const pauseMs = FIRST_PAUSE_MS * 2 ** Math.min(10, refusals / carrier.window);
    pausedUntil = Date.now() + Math.min(LONGEST_PAUSE_MS, pauseMs);
  };

  const settle = (message: Claimed, outcome: SendOutcome): void => {
    // A message that was given up is not settled again by a late answer.
    if (!inFlight.delete(message.id)) return;
    const at = Date.now();
    journal.answer(message, { outcome, at });
    pace.ended();
    watch(outcome);
    pauseAfter(outcome);
    unwritten += 1;
    recorder.put({ kind: 'result', result: resultOf(message, outcome, at) }, written);
    goSoon();
    onAnswer();
  };

  const send = (message: Claimed): void => {
    pace.began();
    throttle.note(Date.now(), 1);
    carrier.send(message).then(
      (outcome) => settle(message, outcome),
      (error: Error) => settle(message, { outcome: 'unknown', reason: error.message }),
    );
  };

  const go = (): void => {
    if (ready.length === 0 || !mayGo()) return;
    const now = Date.now();
    const room = Math.min(windowNow() - inFlight.size, throttle.room(now));
    const next = ready.slice(0, Math.max(0, room));
    if (next.length === 0 || !journal.begin(next)) return;
    ready = ready.slice(next.length);
    for (const message of next) inFlight.set(message.id, { message, since: now });
    for (const message of next) send(message);
  };
  /** Several answers often arrive together: one write to the journal notes all that follows them. */
  const goSoon = (): void => {
    if (soon) return;
    soon = true;
    process.nextTick(() => {
      soon = false;
      go();
    });
  };

  const mostClaimed = (): number => pace.mostClaimed(windowNow(), busyLanes());
  /** How many more the throttle lets out now than are claimed. */
  const throttleRoom = (claimed: number): number => Math.max(0, throttle.room(Date.now()) - claimed);
  const claimSize = (): number =>
    Math.min(pace.claimSize(windowNow(), busyLanes()), throttleRoom(ready.length));
  const takeFrom = (place: number): Claimed[] => {
    const taken = ready.slice(place);
    ready = ready.slice(0, place);
    return taken;
  };
  /** Those that the throttle does not let out soon, the last to be sent first. */
  const takeThrottled = (now: number): Claimed[] => {
    const room = throttle.room(now);
    if (ready.length <= room) return [];
    return room > 0 || throttle.freeAt(now) - now > timing.putBackMs ? takeFrom(room) : [];
  };
  /** Those that have been claimed for too long, whatever keeps them. */
  const takeOld = (now: number): Claimed[] => {
    const before = now - timing.putBackMs;
    if ((came[0]?.at ?? now) > before) return [];
    const old = new Set(came.filter(({ at }) => at <= before).map(({ claim }) => claim));
    came = came.filter(({ at }) => at > before);
    const { taken = [], left = [] } = Object.groupBy(ready, ({ claim }) =>
      old.has(claim) ? 'taken' : 'left',
    );
    if (taken.length === 0) return [];
    ready = left;
    pace.stalled();
    return taken;
  };

  return {
    go,
    mayGo,
    measure: pace.measure,
    claimSize,
    pausedUntil: (): number => pausedUntil,
    add: (claimed: Claimed[]): void => {
      const [first] = claimed;
      if (first) came.push({ claim: first.claim, at: Date.now() });
      // Urgent messages overtake those that are claimed but not yet handed over.
      ready = claimed.some(({ priority }) => priority < (ready.at(-1)?.priority ?? URGENT))
        ? [...ready, ...claimed].sort((a, b) => a.priority - b.priority)
        : ready.concat(claimed);
      go();
    },
    /** Those that were not handed over; they are no longer ours to send. */
    takeBack: (): Claimed[] => takeFrom(0),
    /** Those of them that don't go out within seconds. */
    takeLate: (): Claimed[] => {
      if (ready.length === 0) {
        if (came.length > 0) came = [];
        return [];
      }
      const now = Date.now();
      return takeThrottled(now).concat(takeOld(now));
    },
    hasAny: (): boolean => ready.length + inFlight.size > 0,
    /** Whether another claim may follow. */
    isLow: (): boolean => {
      const size = claimSize();
      return size > 0 && ready.length + size <= mostClaimed();
    },
    /** How many more singles may be claimed. */
    urgentRoom: (): number => {
      const others = ready.findIndex(({ priority }) => priority > URGENT);
      const urgent = others === -1 ? ready.length : others;
      return Math.min(pace.mostUrgent(windowNow(), busyLanes()) - urgent, throttleRoom(urgent));
    },
    giveUpSilent: (): void => {
      const before = Date.now() - timing.answerMs;
      for (const { message, since } of [...inFlight.values()])
        if (since < before) settle(message, { outcome: 'unknown', reason: 'The carrier gave no answer.' });
    },
    stop: (): void => {
      over = true;
    },
    /** Waits for what is in flight. */
    finish: async (timeoutMs: number): Promise<void> => {
      const end = Date.now() + timeoutMs;
      while (inFlight.size > 0 && Date.now() < end) await sleep(10);
      for (const { message } of [...inFlight.values()])
        settle(message, {
          outcome: 'unknown',
          reason: 'The carrier had not answered when the worker ended.',
        });
    },
  };
};
