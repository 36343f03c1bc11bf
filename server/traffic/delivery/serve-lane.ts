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
import { gated, openThrottle, storeRejecting } from '../lanes/index.ts';
import type { LaneRecorder, Recorder } from '../outbox/index.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { inboundInto, receiptsInto } from './lane-events.ts';
import { openPump } from './pump.ts';
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
  setState: (state: Lease & { up: boolean; reason: string }) => Promise<void>;
  /** It is no longer served, and the lease may be released. */
  onEnd: (end: { failure?: string | undefined }) => void;
}

export type ServedLane = ReturnType<typeof serveLane>;

/**
 * Serves a lane that was taken: opens its carrier and runs the pump until it is stopped, lost, or the carrier fails.
 * It waits only for its own carrier and the database, so trouble on one lane does not affect another.
 */
export const serveLane = (deps: DeliveryDeps, taken: TakenLane, around: Surroundings) => {
  const { db, log, timing } = deps;
  const { lane, laneId, holder } = taken;
  const wakeSignal = openWakeSignal();
  const stopped = new AbortController();
  let stopping = false;
  let lost = false;
  let drainMs = timing.drainMs;
  let rejectingStored = Promise.resolve();
  let state: { up: boolean; reason: string } | undefined;

  const setState = (up: boolean, reason: string): Promise<void> => {
    state = { up, reason };
    log[up || stopping ? 'info' : 'warn']({ lane: lane.name, up, reason }, 'lane');
    return around.setState({ laneId, holder, up, reason });
  };
  const setRejecting = (rejecting: boolean): void => {
    log[rejecting ? 'warn' : 'info']({ lane: lane.name, rejecting }, 'lane');
    // One after the other: the last stored state must be the last reported one.
    rejectingStored = rejectingStored
      .then(() => storeRejecting(db, { laneId, holder, rejecting }))
      .catch((error) => log.warn({ err: error, lane: lane.name }, 'the state of a lane was not stored'));
  };
  const isPhone = lane.phoneId !== null;
  const throttled = isPhone || Object.values(lane.throttle).some((limit) => limit !== null);
  const recorder = around.recorder.of({ ...lane, throttled, isPhone, isDevice: lane.source === 'device' });
  const carrier = taken.carrier();
  const pump = openPump(deps, {
    lane,
    holder,
    carrier,
    recorder,
    journal: around.journal,
    watch: watchRefusals({ afterMs: timing.failoverAfterMs, onChange: setRejecting }),
    wakeSignal,
    isHeld: () => !lost && around.isHeld(),
    busyLanes: around.busyLanes,
    throttle: gated(openThrottle({ limits: lane.throttle, sends: taken.sends }), carrier.gate),
  });

  const closeCarrier = (): Promise<void> =>
    within(carrier.close(drainMs), { timeoutMs: drainMs + 1_000, what: 'closing' }).catch((error) =>
      log.warn({ err: error, lane: lane.name }, 'a carrier did not close'),
    );

  const open = async (): Promise<void> => {
    const events = eventsOf(recorder, around.journal, {
      state: ({ up, reason }) => {
        void setState(up, reason);
        wakeSignal.signal();
      },
      room: wakeSignal.signal,
    });
    await within(carrier.open(events), { timeoutMs: timing.openMs, what: 'opening', until: stopped.signal });
    if (carrier.isUp()) await setState(true, '');
  };

  const serve = async (): Promise<void> => {
    let failure: string | undefined;
    try {
      await open();
      if (!stopping && !lost) await pump.run();
    } catch (error) {
      if (!stopping) failure = (error as Error).message;
    }
    await pump.drain(drainMs);
    await closeCarrier();
    await recorder.drain();
    await pump.sweep();
    if (failure !== undefined) await setState(false, failure);
    around.onEnd({ failure });
  };
  const served = serve();

  const end = (): void => {
    stopped.abort();
    pump.stop();
  };
  return {
    holder,
    wake: pump.wake,
    tick: pump.tick,
    isBusy: pump.hasWork,
    ask: (question: Question): Promise<CarrierAnswer> =>
      carrier.ask?.(question) ??
      Promise.resolve({ state: 'unknown', code: '', said: 'This carrier can not be asked about a message.' }),
    /** Stores its state once more: meanwhile it may have been taken for one that nobody serves. */
    restate: (): void => {
      if (state) void around.setState({ laneId, holder, ...state });
    },
    /** Another worker has it: nothing more is sent, and nothing more is written of its state. */
    lose: (): void => {
      lost = true;
      end();
    },
    /** Claims nothing more and lets what is in flight finish. */
    stop: async (timeoutMs: number): Promise<void> => {
      stopping = true;
      drainMs = timeoutMs;
      end();
      await served;
    },
  };
};
