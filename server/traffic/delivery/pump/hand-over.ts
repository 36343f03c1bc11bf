import type { Claimed } from '../../outbox/index.ts';
import type { DeliveryDeps } from '../delivery-deps.ts';
import { claimSize, isLow, type Load, urgentRoom } from './claim-room.ts';
import { type InFlightOptions, openInFlight } from './in-flight.ts';
import { openLanePace } from './lane-pace.ts';
import { openReady } from './ready-messages.ts';

export interface HandOverOptions extends Omit<InFlightOptions, 'pace' | 'onWritten'> {
  /** Whether the lease is still ours by our own clock, and nobody has stopped us. */
  isHeld: () => boolean;
  /** How many lanes this worker serves at this moment that have work. */
  busyLanes: () => number;
}

/** Runs it once after all that happens at this moment. */
const onceSoon = (run: () => void): (() => void) => {
  let soon = false;
  return () => {
    if (soon) return;
    soon = true;
    process.nextTick(() => {
      soon = false;
      run();
    });
  };
};

/**
 * Hands claimed messages to the carrier, with as many in flight as its window allows, and passes on its answers. Each
 * handover is in the journal before the carrier has the message. It has no mode of its own: it may go as long as the
 * pump does not say otherwise (`isHeld`), and goes whenever something changes: a claim is added, an answer comes, a
 * result is written, or the pump makes a step. What it remembers is where each message is:
 *
 * - ready: claimed and not handed over. Only these may be put back.
 * - in flight: handed over. Only an answer ends this, the time for one, or the end of the worker, which are an answer
 *   too: that the outcome is unknown.
 * - unwritten: answered, until the recorder has stored the result.
 */
export const openHandOver = (
  { timing }: Pick<DeliveryDeps, 'timing'>,
  { isHeld, busyLanes, onAnswer, ...options }: HandOverOptions,
) => {
  const { journal, throttle } = options;
  const pace = openLanePace();
  const ready = openReady({ throttle, putBackMs: timing.putBackMs, onOld: pace.stalled });
  const inFlight = openInFlight({
    ...options,
    pace,
    onAnswer: () => {
      goSoon();
      onAnswer();
    },
    onWritten: () => void (ready.hasAny() && inFlight.size() < inFlight.window() && goSoon()),
  });
  const mayGo = (now = Date.now()): boolean => isHeld() && inFlight.mayGo(now);
  const load = (): Load => ({
    pace,
    ready: ready.messages(),
    window: inFlight.window(),
    busyLanes: busyLanes(),
    throttleRoom: throttle.room(Date.now()),
  });

  const go = (): void => {
    if (!ready.hasAny() || !mayGo()) return;
    const now = Date.now();
    const room = Math.min(inFlight.window() - inFlight.size(), throttle.room(now));
    const next = ready.messages().slice(0, Math.max(0, room));
    if (next.length === 0 || !journal.begin(next)) return;
    ready.drop(next.length);
    inFlight.send(next, now);
  };
  /** Several answers often arrive together: one write to the journal notes all that follows them. */
  const goSoon = onceSoon(go);

  return {
    go,
    mayGo,
    measure: pace.measure,
    claimSize: (): number => claimSize(load()),
    isLow: (): boolean => isLow(load()),
    urgentRoom: (): number => urgentRoom(load()),
    facts: (now: number) => ({
      mayGo: mayGo(now),
      isLow: isLow(load()),
      urgentRoom: urgentRoom(load()),
      ...inFlight.facts(now),
    }),
    add: (claimed: Claimed[]): void => {
      ready.add(claimed);
      go();
    },
    takeBack: ready.takeBack,
    takeLate: ready.takeLate,
    hasAny: (): boolean => ready.hasAny() || inFlight.size() > 0,
    giveUpSilent: (): void => inFlight.giveUpSilent(timing.answerMs),
    finish: inFlight.finish,
  };
};
