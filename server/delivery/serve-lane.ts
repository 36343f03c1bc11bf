import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Carrier, CarrierEvents, Lane } from '../lanes/index.ts';
import { releaseLease, renewLease, storeLaneState, storeRejecting, takeLease } from '../lanes/index.ts';
import { markUnknown, openRecorder, type Recorder } from '../outbox/index.ts';
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

const eventsOf = (recorder: Recorder, onState: CarrierEvents['state']): CarrierEvents => ({
  receipt: receiptsInto(recorder),
  inbound: inboundInto(recorder),
  state: onState,
});

/** Renews the lease; `isHeld` says whether it is ours by our own clock, which is the cautious one. */
const keepLease = (
  { db, timing, log }: DeliveryDeps,
  lane: Lane,
  { holder, takenAt, onLost }: { holder: string; takenAt: number; onLost: () => void },
) => {
  let until = takenAt + timing.leaseMs;
  let renewing = false;
  const renew = async (): Promise<void> => {
    if (renewing) return;
    renewing = true;
    const asked = Date.now();
    try {
      if (await renewLease(db, { laneId: lane.id, holder, leaseMs: timing.leaseMs }))
        until = asked + timing.leaseMs;
      else onLost();
    } catch (error) {
      log.warn({ err: error, lane: lane.name }, 'the lease of a lane was not renewed');
    } finally {
      renewing = false;
    }
  };
  const timer = setInterval(() => void renew(), timing.leaseMs / 3);
  return { isHeld: () => Date.now() < until, end: () => clearInterval(timer) };
};

/**
 * Serves one lane as long as the process runs: waits for its lease, opens its carrier, runs the pump, and starts again
 * if the carrier fails or the lease is lost. It waits only for its own carrier and the database, so trouble on one lane
 * does not affect another.
 */
export const serveLane = (deps: DeliveryDeps, lane: Lane) => {
  const { db, log, timing } = deps;
  const wakeSignal = openWakeSignal();
  const stopped = new AbortController();
  let stopping = false;
  let drainMs = timing.drainMs;
  let stopPump = (): void => {};
  let wakePump: (singles: boolean) => void = wakeSignal.signal;
  let stateStored = Promise.resolve();
  let failures = 0;

  const setState = async (holder: string, up: boolean, reason: string): Promise<void> => {
    log[up || stopping ? 'info' : 'warn']({ lane: lane.name, up, reason }, 'lane');
    // One after the other: the last stored state must be the last reported one.
    stateStored = stateStored
      .then(() => storeLaneState(db, { laneId: lane.id, holder, up, reason }))
      .catch((error) => log.warn({ err: error, lane: lane.name }, 'the state of a lane was not stored'));
    await stateStored;
  };

  const setRejecting = async (holder: string, rejecting: boolean): Promise<void> => {
    log[rejecting ? 'warn' : 'info']({ lane: lane.name, rejecting }, 'lane');
    stateStored = stateStored
      .then(() => storeRejecting(db, { laneId: lane.id, holder, rejecting }))
      .catch((error) => log.warn({ err: error, lane: lane.name }, 'the state of a lane was not stored'));
    await stateStored;
  };

  const closeCarrier = (carrier: Carrier): Promise<void> =>
    within(carrier.close(drainMs), { timeoutMs: drainMs + 1_000, what: 'closing' }).catch((error) =>
      log.warn({ err: error, lane: lane.name }, 'a carrier did not close'),
    );

  /** While this worker holds the lane, until it is lost, stopped or the carrier can't be opened. */
  const hold = async (holder: string, takenAt: number): Promise<void> => {
    const recorder = openRecorder(deps, lane);
    const carrier = lane.carrier();
    const watch = watchRefusals({
      afterMs: timing.failoverAfterMs,
      onChange: (rejecting) => void setRejecting(holder, rejecting),
    });
    let lost = false;
    const lease = keepLease(deps, lane, {
      holder,
      takenAt,
      onLost: () => {
        lost = true;
        stopPump();
      },
    });
    const pump = openPump(deps, { lane, holder, carrier, recorder, watch, wakeSignal, isHeld: lease.isHeld });
    stopPump = pump.stop;
    wakePump = pump.wake;
    try {
      const unknown = await markUnknown(db, { laneId: lane.id, holder });
      // What a former holder observed says nothing about this connection.
      await storeRejecting(db, { laneId: lane.id, holder, rejecting: false });
      if (unknown > 0) log.warn({ lane: lane.name, unknown }, 'messages of a worker that ended are unknown');
      const events = eventsOf(recorder, ({ up, reason }) => {
        void setState(holder, up, reason);
        wakeSignal.signal();
      });
      await within(carrier.open(events), {
        timeoutMs: timing.openMs,
        what: 'opening',
        until: stopped.signal,
      });
      if (carrier.isUp()) await setState(holder, true, '');
      failures = 0;
      if (!stopping && !lost) await pump.run();
    } finally {
      stopPump = () => {};
      wakePump = wakeSignal.signal;
      await pump.drain(drainMs);
      await closeCarrier(carrier);
      if (stopping) setTimeout(recorder.abandon, drainMs).unref();
      await recorder.drain();
      lease.end();
      await releaseLease(db, { laneId: lane.id, holder }).catch((error) =>
        log.warn({ err: error, lane: lane.name }, 'a lane was not given back'),
      );
    }
  };

  const retryMs = (): number =>
    Math.min(timing.longestRetryMs, timing.firstRetryMs * 2 ** Math.min(20, failures - 1)) *
    (0.75 + Math.random() / 2);

  const serve = async (): Promise<void> => {
    while (!stopping) {
      const holder = randomUUID();
      try {
        const takenAt = Date.now();
        if (await takeLease(db, { laneId: lane.id, holder, leaseMs: timing.leaseMs }))
          await hold(holder, takenAt);
        else await wakeSignal.wait(timing.pollMs);
      } catch (error) {
        if (stopping) break;
        failures += 1;
        await setState(holder, false, (error as Error).message);
        const end = Date.now() + retryMs();
        // New messages send wake signals, but don't make the carrier come back any sooner.
        while (!stopping && Date.now() < end) await wakeSignal.wait(end - Date.now());
      }
    }
  };
  const served = serve();

  return {
    name: lane.name,
    id: lane.id,
    wake: (singles: boolean) => wakePump(singles),
    /** Claims nothing more, lets what is in flight finish and releases the lane to another worker. */
    stop: async (timeoutMs: number): Promise<void> => {
      stopping = true;
      drainMs = timeoutMs;
      stopped.abort();
      stopPump();
      wakeSignal.signal();
      await served;
    },
  };
};
