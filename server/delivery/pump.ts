import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageId } from '../../contract/messages.ts';
import type { Carrier, SendOutcome, ServableLane, Throttle } from '../lanes/index.ts';
import type { Fact, Recorder } from '../outbox/index.ts';
import {
  type Claim,
  type Claimed,
  clearGone,
  openClaims,
  putBack,
  putBackStrays,
  resultOf,
  type Taken,
} from '../outbox/index.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { openPace } from './lane-pace.ts';
import type { WakeSignal } from './wake-signal.ts';

interface PumpOptions {
  lane: Pick<ServableLane, 'id' | 'name'>;
  holder: string;
  carrier: Carrier;
  recorder: Recorder;
  /** Called with each of the carrier's answers. */
  watch: (outcome: SendOutcome) => void;
  /** Signals that something waits. */
  wakeSignal: WakeSignal;
  /** Whether the lease is still ours by our own clock. */
  isHeld: () => boolean;
  /** How many lanes this worker serves at this moment that have work. */
  busyLanes: () => number;
  /** How many it may send. */
  throttle: Throttle;
}

/** Results that the database has not stored yet; beyond this nothing more is sent, because a crash would lose them. */
const MOST_UNWRITTEN = 2_000;
/** Messages; each has left a chunk or a part of one behind. */
const CLEARED_AFTER = 20_000;
/** A claim may be committed long after we gave it up. */
const STRAYS_MS = 60_000;
/** A lane without work waits for a signal. */
const IDLE_MS = 2 ** 31 - 1;
const URGENT = 0;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Moves messages from the lane to its carrier: claims them, commits, hands them over with as many in flight as the
 * carrier's window allows, and passes on its answers.
 */
export const openPump = ({ db, log, timing }: DeliveryDeps, options: PumpOptions) => {
  const { lane, holder, carrier, recorder, watch, wakeSignal, isHeld, busyLanes, throttle } = options;
  /** Claimed and not handed over yet, in order. */
  let ready: Claimed[] = [];
  /** Being put back: they may be in a chunk already, and we must not send them. */
  let returning: Claimed[] = [];
  const inFlight = new Map<MessageId, { message: Claimed; since: number }>();
  /** Our claims that are not completely settled. */
  const unfinished = new Set<Claim>();
  let over = false;
  let unwritten = 0;
  const pace = openPace();
  let refusals = 0;
  let pausedUntil = 0;
  let downSince = 0;
  const claims = openClaims(db, { laneId: lane.id, holder });
  /** More waits than the last claim took. */
  let more = false;
  /** Otherwise the next claim is at this time. */
  let askAt = Number.POSITIVE_INFINITY;
  /** A wake signal said that something new waits, and we have not claimed singles since. */
  let woken = false;
  /** A wake signal said that not only singles wait, and we have not claimed others since. */
  let fresh = false;
  /** Since the last vacuum. */
  let taken = 0;
  let clearing = false;
  /** A claim failed, and it is not known whether it was committed. */
  let strays = false;
  /** After a failed claim: when to look for it once more. */
  let straysAt = Number.POSITIVE_INFINITY;

  const mayGo = (): boolean =>
    !over &&
    isHeld() &&
    carrier.isUp() &&
    Date.now() >= pausedUntil &&
    unwritten < MOST_UNWRITTEN &&
    throttle.room(Date.now()) > 0;

  const forget = (claim: Claim): void => {
    if (claim.open <= 0) unfinished.delete(claim);
  };

  /** One that can't be written stays claimed: it must not be taken for a stray and go out again. */
  const written = (fact: Fact): void => {
    unwritten -= 1;
    if (fact.kind === 'result') forget(fact.result.message.claim);
    if (unwritten === MOST_UNWRITTEN - 1) wakeSignal.signal();
    if (ready.length > 0 && inFlight.size < carrier.window) handOver();
  };

  const settle = (message: Claimed, outcome: SendOutcome): void => {
    // A message that was given up is not settled again by a late answer.
    if (!inFlight.delete(message.id)) return;
    pace.ended();
    watch(outcome);
    if (outcome.outcome === 'refused' && outcome.retryable) {
      refusals += 1;
      const pauseMs = Math.min(
        LONGEST_PAUSE_MS,
        FIRST_PAUSE_MS * 2 ** Math.min(10, refusals / carrier.window),
      );
      pausedUntil = Date.now() + pauseMs;
    } else if (outcome.outcome === 'accepted') refusals = 0;
    unwritten += 1;
    recorder.put({ kind: 'result', result: resultOf(message, outcome) }, written);
    handOver();
    if ((more || woken || claims.urgentLeft()) && isLow()) wakeSignal.signal();
  };

  const handOver = (): void => {
    while (ready.length > 0 && inFlight.size < carrier.window && mayGo()) {
      const message = ready.shift() as Claimed;
      inFlight.set(message.id, { message, since: Date.now() });
      pace.began();
      throttle.note(Date.now(), 1);
      carrier.send(message).then(
        (outcome) => settle(message, outcome),
        (error: Error) => settle(message, { outcome: 'unknown', reason: error.message }),
      );
    }
  };

  const hasClaimed = (): boolean => ready.length + inFlight.size + returning.length > 0;
  const mostClaimed = (): number => pace.mostClaimed(carrier.window, busyLanes());
  const claimSize = (): number =>
    Math.min(pace.claimSize(carrier.window, busyLanes()), throttle.room(Date.now()));
  const isLow = (): boolean => ready.length + claimSize() <= mostClaimed();

  const giveBackStrays = async (): Promise<void> => {
    await putBackStrays(db, { laneId: lane.id, holder, claimIds: [...unfinished].map(({ id }) => id) });
    claims.lookAnew();
    strays = false;
    if (Date.now() >= straysAt) straysAt = Number.POSITIVE_INFINITY;
  };

  /** A process that claims much vacuums. */
  const clear = (count: number): void => {
    taken += count;
    if (taken < CLEARED_AFTER || clearing) return;
    taken = 0;
    clearing = true;
    clearGone(db)
      .catch((error) => log.warn({ err: error, lane: lane.name }, 'what is gone was not cleared away'))
      .finally(() => {
        clearing = false;
      });
  };

  const claim = async (take: () => Promise<Taken>): Promise<Taken> => {
    if (strays) await giveBackStrays();
    let got: Taken;
    try {
      got = await take();
    } catch (error) {
      strays = true;
      straysAt = Date.now() + STRAYS_MS;
      fresh = true;
      throw error;
    }
    const { claimed } = got;
    for (const { claim } of claimed) unfinished.add(claim);
    clear(claimed.length);
    // Urgent messages overtake those that are claimed but not yet handed over.
    ready = claimed.some(({ priority }) => priority < (ready.at(-1)?.priority ?? URGENT))
      ? [...ready, ...claimed].sort((a, b) => a.priority - b.priority)
      : ready.concat(claimed);
    handOver();
    return got;
  };

  const mayHaveMore = (): boolean => isLow() && (more || fresh || claims.urgentLeft() || Date.now() >= askAt);

  const claimUrgent = (limit: number): Promise<Taken> =>
    claim(async () => ({ claimed: await claims.takeUrgent(limit), againInMs: 0 }));

  const claimNext = async (): Promise<void> => {
    if (claims.urgentLeft()) return void (await claimUrgent(claimSize()));
    fresh = false;
    const { againInMs } = await claim(() => claims.take(claimSize()));
    more = againInMs === 0;
    askAt = Date.now() + againInMs;
  };

  /** How many more singles may be claimed. */
  const urgentRoom = (): number => {
    const others = ready.findIndex(({ priority }) => priority > URGENT);
    return Math.max(carrier.window, mostClaimed()) - (others === -1 ? ready.length : others);
  };
  const mayClaimWoken = (): boolean => woken && claims.urgentInMs() === 0 && urgentRoom() > 0;

  /** New singles are claimed first; whatever else woke us comes after them. */
  const claimWoken = async (): Promise<void> => {
    woken = false;
    await claimUrgent(urgentRoom());
  };

  const putReturningBack = async (): Promise<void> => {
    returning = returning.concat(ready);
    ready = [];
    if (returning.length === 0) return;
    await putBack(db, holder, returning);
    claims.lookAnew();
    for (const { claim } of returning) {
      claim.open -= 1;
      forget(claim);
    }
    returning = [];
  };
  let giving: Promise<void> | undefined;
  const giveBack = (): Promise<void> => {
    giving ??= putReturningBack().finally(() => {
      giving = undefined;
    });
    return giving;
  };

  const giveUpSilent = (): void => {
    const before = Date.now() - timing.answerMs;
    for (const { message, since } of [...inFlight.values()])
      if (since < before) settle(message, { outcome: 'unknown', reason: 'The carrier gave no answer.' });
  };

  const step = async (): Promise<void> => {
    if (returning.length > 0) await giveBack();
    if (!carrier.isUp()) {
      downSince ||= Date.now();
      if (Date.now() - downSince >= timing.putBackMs) await giveBack();
      return;
    }
    downSince = 0;
    if (!mayGo()) return;
    if (Date.now() >= straysAt) await giveBackStrays();
    handOver();
    pace.measure();
    if (mayClaimWoken()) await claimWoken();
    else if (mayHaveMore() && claims.restMs() === 0) await claimNext();
  };

  const idleMs = (): number => {
    const now = Date.now();
    // With nothing claimed, only a signal can change something: the worker looks for work of all its lanes at once.
    const longestMs = hasClaimed()
      ? timing.pollMs
      : Math.min(IDLE_MS, straysAt - now, throttle.room(now) > 0 ? IDLE_MS : throttle.freeAt(now) - now);
    if (pausedUntil > now) return Math.min(pausedUntil - now + 1, timing.pollMs);
    if (!mayGo()) return Math.max(1, longestMs);
    return Math.max(
      1,
      Math.min(
        longestMs,
        woken && urgentRoom() > 0 ? claims.urgentInMs() : longestMs,
        isLow()
          ? Math.max(claims.restMs(), more || fresh || claims.urgentLeft() ? 0 : askAt - now)
          : longestMs,
      ),
    );
  };

  /** Whether the next step has something to claim. */
  const isBusy = (): boolean =>
    mayGo() && (mayClaimWoken() || ((more || claims.urgentLeft()) && isLow() && claims.restMs() === 0));

  /** Until it is stopped, or the lease is lost. */
  const run = async (): Promise<void> => {
    while (!over) {
      try {
        await step();
      } catch (error) {
        log.error({ err: error, lane: lane.name }, 'messages could not be claimed');
        await sleep(Math.min(500, timing.pollMs));
      }
      if (!over && !isBusy()) await wakeSignal.wait(idleMs());
    }
  };

  /** Hands over nothing more, puts back what was not handed over and waits for what is in flight. */
  const drain = async (timeoutMs: number): Promise<void> => {
    over = true;
    wakeSignal.signal();
    await giveBack()
      .then(() => (strays ? giveBackStrays() : undefined))
      .catch((error) => log.warn({ err: error, lane: lane.name }, 'claimed messages were left'));
    const end = Date.now() + timeoutMs;
    while (inFlight.size > 0 && Date.now() < end) await sleep(10);
    for (const { message } of [...inFlight.values()])
      settle(message, { outcome: 'unknown', reason: 'The carrier had not answered when the worker ended.' });
  };

  return {
    run,
    drain,
    /** Called about every second. */
    tick: giveUpSilent,
    hasWork: (): boolean => hasClaimed() || more || fresh,
    /** Something new waits: only singles, or anything. */
    wake: (singles: boolean) => {
      woken = true;
      fresh ||= !singles;
      wakeSignal.signal();
    },
    stop: () => {
      over = true;
      wakeSignal.signal();
    },
  };
};
