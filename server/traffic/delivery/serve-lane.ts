import { setTimeout as sleep } from 'node:timers/promises';
import type { Attempt, Journal } from '../journal/index.ts';
import type {
  Carrier,
  CarrierAnswer,
  CarrierEvents,
  Lease,
  MinuteSends,
  Question,
  ServableLane,
} from '../lanes/index.ts';
import { gated, openThrottle } from '../lanes/index.ts';
import type { LaneRecorder, Recorder } from '../outbox/index.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { inboundInto, receiptsInto } from './lane-events.ts';
import { openLaneState, type StoreState } from './lane-state.ts';
import { openPump } from './pump/pump.ts';
import { isThrottled } from './take-lanes.ts';
import { openWakeSignal } from './wake-signal.ts';
import { watchRefusals } from './watch-refusals.ts';

interface Deadline {
  timeoutMs: number;
  /** For the error message. */
  what: string;
  /** Ends the wait early. */
  until?: AbortSignal;
}

const within = async (promise: Promise<void>, { timeoutMs, what, until }: Deadline): Promise<void> => {
  const ended = new AbortController();
  const signal = until ? AbortSignal.any([until, ended.signal]) : ended.signal;
  try {
    await Promise.race([
      promise,
      sleep(timeoutMs, undefined, { signal }).then(() => {
        throw new Error(`${what} took longer than ${timeoutMs} ms`);
      }),
    ]);
  } finally {
    ended.abort();
  }
};

const eventsOf = (
  recorder: LaneRecorder,
  journal: Journal,
  { state, room }: Pick<CarrierEvents, 'state' | 'room'>,
): CarrierEvents => ({
  receipt: receiptsInto(recorder),
  inbound: inboundInto(recorder),
  // What is handed over is always an attempt.
  part: (message, note) => journal.part(message as Attempt, note),
  state,
  room,
});

const closeCarrier = (carrier: Carrier, drainMs: number): Promise<void> =>
  within(carrier.close(drainMs), { timeoutMs: drainMs + 1_000, what: 'closing' });

const askAbout = (carrier: Carrier, question: Question): Promise<CarrierAnswer> =>
  carrier.ask?.(question) ??
  Promise.resolve({ state: 'unknown', code: '', said: 'This carrier can not be asked about a message.' });

/** A lane that this worker has taken. */
export interface TakenLane extends Lease {
  lane: ServableLane;
  /** What it sent in the last day. */
  sends: MinuteSends[];
  carrier: () => Carrier;
}

interface Surroundings {
  /** Whether the worker's lease holds by our own clock, which is the cautious one. */
  isHeld: () => boolean;
  /** How many lanes this worker serves at this moment that have work. */
  busyLanes: () => number;
  journal: Journal;
  /** Of all lanes of this worker. */
  recorder: Recorder;
  /** Stores the state; resolves when it is stored. */
  setState: StoreState;
  /** It is no longer served, and the lease may be released. */
  onEnd: (end: { failure?: string | undefined }) => void;
}

type LaneMode = 'OPENING' | 'SERVING' | 'LOST' | 'STOPPING';

/** The carrier of a lane and what belongs to it; nothing is opened yet. */
const assemble = (deps: DeliveryDeps, taken: TakenLane, around: Surroundings, mode: () => LaneMode) => {
  const { timing } = deps;
  const { lane, holder } = taken;
  const { journal, busyLanes } = around;
  const wakeSignal = openWakeSignal();
  const state = openLaneState(deps, taken, {
    store: around.setState,
    isStopping: () => mode() === 'STOPPING',
  });
  const [throttled, isPhone] = [isThrottled(lane), lane.phoneId !== null];
  const recorder = around.recorder.of({ ...lane, throttled, isPhone, isDevice: lane.source === 'device' });
  const carrier = taken.carrier();
  const pump = openPump(deps, {
    lane,
    holder,
    carrier,
    recorder,
    journal,
    watch: watchRefusals({ afterMs: timing.failoverAfterMs, onChange: state.setRejecting }),
    wakeSignal,
    isHeld: () => mode() !== 'LOST' && around.isHeld(),
    busyLanes,
    throttle: gated(openThrottle({ limits: lane.throttle, sends: taken.sends }), carrier.gate),
  });
  const events = eventsOf(recorder, journal, {
    state: ({ up, reason }) => {
      void state.set(up, reason);
      wakeSignal.signal();
    },
    room: wakeSignal.signal,
  });
  return { carrier, events, pump, recorder, state };
};

export type ServedLane = ReturnType<typeof serveLane>;

/**
 * Serves a lane that was taken. It waits only for its own carrier and the database, so trouble on one lane does not
 * affect another. Its modes:
 *
 * - OPENING, from the start: the carrier is being opened, which may take `openMs`.
 * - SERVING: the carrier was opened, and the pump runs. Whether the carrier is up or down meanwhile is its own matter:
 *   it says so, that is stored as the state of the lane, and the pump waits or goes on.
 * - LOST, by `lose`: another worker has the lane. Nothing more is sent, and what fails is still told as a failure.
 * - STOPPING, by `stop`: the same on purpose, so that no failure is told.
 *
 * From each of them, or if the carrier fails, it ends in one way: what was not handed over is put back, what is in flight
 * is awaited, the carrier is closed, all results are stored, claims without results are put back, and the lease may be
 * released.
 */
export const serveLane = (deps: DeliveryDeps, taken: TakenLane, around: Surroundings) => {
  const { log, timing } = deps;
  const stopped = new AbortController();
  let mode: LaneMode = 'OPENING';
  let drainMs = timing.drainMs;
  const { carrier, events, pump, recorder, state } = assemble(deps, taken, around, () => mode);

  const serve = async (): Promise<void> => {
    let failure: string | undefined;
    try {
      const opening = { timeoutMs: timing.openMs, what: 'opening', until: stopped.signal };
      await within(carrier.open(events), opening);
      if (carrier.isUp()) await state.set(true, '');
      if (mode === 'OPENING') {
        mode = 'SERVING';
        await pump.run();
      }
    } catch (error) {
      if (mode !== 'STOPPING') failure = (error as Error).message;
    }
    await pump.drain(drainMs);
    await closeCarrier(carrier, drainMs).catch((error) =>
      log.warn({ err: error, lane: taken.lane.name }, 'a carrier did not close'),
    );
    await recorder.drain();
    await pump.sweep();
    if (failure !== undefined) await state.set(false, failure);
    around.onEnd({ failure });
  };
  const served = serve();

  const end = (next: 'LOST' | 'STOPPING'): void => {
    // A lane that is stopped may be lost as well: that changes nothing more.
    if (mode !== 'STOPPING') mode = next;
    stopped.abort();
    pump.stop();
  };
  return {
    holder: taken.holder,
    wake: pump.wake,
    tick: pump.tick,
    isBusy: pump.hasWork,
    ask: (question: Question): Promise<CarrierAnswer> => askAbout(carrier, question),
    /** Stores its state once more: meanwhile it may have been taken for one that nobody serves. */
    restate: state.restate,
    /** Another worker has it: nothing more is sent, and nothing more is written of its state. */
    lose: (): void => end('LOST'),
    /** Claims nothing more and lets what is in flight finish. */
    stop: async (timeoutMs: number): Promise<void> => {
      drainMs = timeoutMs;
      end('STOPPING');
      await served;
    },
  };
};
