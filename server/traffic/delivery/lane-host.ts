import { randomUUID } from 'node:crypto';
import { openBatcher } from '../../ground/batching/index.ts';
import type { JournalSettings } from '../journal/index.ts';
import type { Carrier, Lease, ServableLane, Worker } from '../lanes/index.ts';
import {
  endWorker,
  forgetOldSends,
  markUnserved,
  noteSends,
  readHeldLanes,
  readLaneSends,
  readServableLanes,
  releaseLeases,
  renewWorker,
  storeLaneStates,
  sweepWorkers,
  takeLeases,
} from '../lanes/index.ts';
import { findLanesWithWork, markUnknown, openRecorder } from '../outbox/index.ts';
import { askCarriers } from './ask-carriers.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { planLanes } from './plan-lanes.ts';
import { recoverWorkers } from './recover-workers.ts';
import { type ServedLane, serveLane, type TakenLane } from './serve-lane.ts';
import { openWakeSignal } from './wake-signal.ts';
import { openWorkerJournal } from './worker-journal.ts';

export interface HostOptions {
  worker: Worker;
  /** The lanes of its settings. */
  laneIds: number[];
  /** Makes the carrier of a lane; undefined if this worker can't. */
  openCarrier: (lane: ServableLane) => (() => Carrier) | undefined | Promise<(() => Carrier) | undefined>;
  /** Where this machine's workers keep their journals; without one the claims of a killed worker are unknown. */
  journals?: JournalSettings | undefined;
}

interface HeldLane {
  served: ServedLane;
  revision: number;
  since: number;
  ending: boolean;
}

/** What it sends is counted: it has limits, or is a phone. */
const isThrottled = ({ throttle, phoneId }: ServableLane): boolean =>
  phoneId !== null || Object.values(throttle).some((limit) => limit !== null);

/** How often a worker extends its lease and looks at the lanes, as a part of the lease. */
const STEPS_A_LEASE = 5;
const MOST_AT_ONCE = 1_000;
const RETRY_MS = 200;

/**
 * Serves the lanes that this worker can reach: takes those that are free, up to its share, gives back what was paused,
 * removed or changed, and keeps all leases by one row. It looks for work of all its lanes with one query.
 */
export const hostLanes = (deps: DeliveryDeps, { worker, laneIds, openCarrier, journals }: HostOptions) => {
  const { db, log, timing } = deps;
  const held = new Map<number, HeldLane>();
  const freeSince = new Map<number, number>();
  const failures = new Map<number, number>();
  const retryAt = new Map<number, number>();
  const stepSignal = openWakeSignal();
  const journal = openWorkerJournal(deps, {
    workerId: worker.id,
    settings: journals,
    onBroken: stepSignal.signal,
  });
  let leasedUntil = 0;
  let stopping = false;
  let busy = 0;

  const recorder = openRecorder(deps);
  const states = openBatcher<Lease & { up: boolean; reason: string }>({
    maxItems: MOST_AT_ONCE,
    retry: { isTransient: () => !stopping, delayMs: RETRY_MS },
    onError: (error) => log.warn({ err: error }, 'the state of a lane was not stored'),
    flush: (items) => storeLaneStates(db, items),
  });
  const releases = openBatcher<Lease>({
    maxItems: MOST_AT_ONCE,
    onError: (error) => log.warn({ err: error }, 'a lane was not given back'),
    flush: (items) => releaseLeases(db, items),
  });

  const retryMs = (count: number): number =>
    Math.min(timing.longestRetryMs, timing.firstRetryMs * 2 ** Math.min(20, count - 1)) *
    (0.75 + Math.random() / 2);

  const ended = async (lane: ServableLane, holder: string, failure: string | undefined): Promise<void> => {
    if (failure === undefined) failures.delete(lane.id);
    else {
      const count = (failures.get(lane.id) ?? 0) + 1;
      const waitMs = retryMs(count);
      failures.set(lane.id, count);
      retryAt.set(lane.id, Date.now() + waitMs);
      setTimeout(stepSignal.signal, waitMs + 1).unref();
    }
    await releases.add({ laneId: lane.id, holder }).catch(() => {});
    if (held.get(lane.id)?.served.holder === holder) held.delete(lane.id);
    stepSignal.signal();
  };

  const serve = (lane: ServableLane, taken: Omit<TakenLane, 'lane'>): void => {
    const { holder } = taken;
    const served = serveLane(
      deps,
      { ...taken, lane },
      {
        isHeld: () => Date.now() < leasedUntil,
        busyLanes: () => busy,
        journal: journal.current(),
        recorder,
        setState: (state) => {
          if (state.up) failures.delete(lane.id);
          return states.add(state).catch(() => {});
        },
        onEnd: ({ failure }) => void ended(lane, holder, failure),
      },
    );
    held.set(lane.id, { served, revision: lane.revision, since: Date.now(), ending: false });
  };

  const take = async (lanes: ServableLane[]): Promise<void> => {
    const known = new Map(lanes.map((lane) => [lane.id, lane]));
    const wanted = lanes.map(({ id }) => ({ laneId: id, holder: randomUUID() }));
    const taken = await takeLeases(db, worker.id, wanted);
    if (taken.length === 0) return;
    const unknown = await markUnknown(db, taken);
    for (const { laneId, count } of unknown)
      log.warn(
        { lane: known.get(laneId)?.name, unknown: count },
        'messages of a worker that ended are unknown',
      );
    const throttled = lanes.filter(isThrottled).map(({ id }) => id);
    // What is unknown may have been sent, and counts as if it had been.
    await noteSends(
      db,
      unknown
        .filter(({ laneId }) => throttled.includes(laneId))
        .map(({ laneId, count }) => ({ laneId, at: Date.now(), sent: count })),
    );
    const sends = throttled.length > 0 ? await readLaneSends(db, throttled) : new Map();
    for (const { laneId, holder } of taken) {
      const lane = known.get(laneId) as ServableLane;
      freeSince.delete(laneId);
      try {
        const carrier = await openCarrier(lane);
        if (!carrier) throw new Error(`this worker has no provider ${lane.provider}`);
        serve(lane, { laneId, holder, carrier, sends: sends.get(laneId) ?? [] });
      } catch (error) {
        const reason = (error as Error).message;
        await states.add({ laneId, holder, up: false, reason }).catch(() => {});
        await ended(lane, holder, reason);
      }
    }
    await wakeThoseWithWork(taken.map(({ laneId }) => laneId));
  };

  const wakeAll = (): void => {
    for (const { served } of held.values()) served.wake(false);
  };

  const end = (laneId: number): void => {
    const one = held.get(laneId);
    if (!one || one.ending) return;
    one.ending = true;
    void one.served.stop(timing.drainMs);
  };

  const wakeThoseWithWork = async (laneIds: number[]): Promise<void> => {
    const ids = laneIds.filter((id) => held.has(id));
    if (ids.length === 0) return;
    for (const id of await findLanesWithWork(db, ids)) held.get(id)?.served.wake(false);
  };

  const renew = async (): Promise<void> => {
    const asked = Date.now();
    const lapsed = asked >= leasedUntil;
    const complete = journal.current().isComplete();
    await renewWorker(db, {
      ...worker,
      leaseMs: timing.leaseMs,
      serving: true,
      journaled: complete,
      laneIds,
    });
    leasedUntil = asked + timing.leaseMs;
    if (journal.store(complete)) wakeAll();
    const mine = await readHeldLanes(db, worker.id);
    for (const [laneId, { served, since }] of held)
      if (since < asked && mine.get(laneId) !== served.holder) served.lose();
      // Another worker may have found it without one.
      else if (lapsed) served.restate();
  };

  const look = async (): Promise<void> => {
    const lanes = await readServableLanes(db, worker);
    const now = Date.now();
    // With a lease that has lapsed none is ours to serve: they are kept for when it is renewed, or lost.
    if (now >= leasedUntil) return;
    for (const { id, holderId } of lanes)
      if (holderId === null && !held.has(id)) freeSince.set(id, freeSince.get(id) ?? now);
      else freeSince.delete(id);
    const plan = planLanes({
      workerId: worker.id,
      lanes,
      held,
      freeSince,
      retryAt,
      now,
      orphanMs: timing.leaseMs / 2,
      leastHoldMs: 2 * timing.leaseMs,
    });
    for (const id of [...plan.stop, ...plan.handOver]) end(id);
    const wanted = new Set(plan.take);
    if (!stopping && wanted.size > 0) await take(lanes.filter(({ id }) => wanted.has(id)));
  };

  let sweptAt = 0;
  const sweep = async (): Promise<void> => {
    if (Date.now() - sweptAt < timing.leaseMs) return;
    sweptAt = Date.now();
    await sweepWorkers(db);
    await markUnserved(db, timing.leaseMs);
    await forgetOldSends(db);
  };

  const stepMs = timing.leaseMs / STEPS_A_LEASE;
  const run = async (): Promise<void> => {
    let renewAt = 0;
    await journal.open();
    while (!stopping) {
      try {
        if (Date.now() >= renewAt || !journal.isStored()) {
          await renew();
          renewAt = Date.now() + stepMs;
          if (journals) await recoverWorkers(deps, journals.folder);
          await look();
          await sweep();
        } else await look();
      } catch (error) {
        log.warn({ err: error }, 'the lanes could not be looked at');
        await new Promise((resolve) => setTimeout(resolve, Math.min(RETRY_MS, stepMs)));
        continue;
      }
      await stepSignal.wait(Math.max(1, renewAt - Date.now()));
    }
  };

  let polling = false;
  /** Signals can be lost, and messages become due without one. */
  const poll = async (): Promise<void> => {
    busy = [...held.values()].filter(({ served }) => served.isBusy()).length;
    for (const { served } of held.values()) served.tick();
    if (polling) return;
    polling = true;
    await wakeThoseWithWork([...held.keys()]).catch((error) =>
      log.warn({ err: error }, 'the lanes could not be asked for work'),
    );
    await askCarriers(deps, [...held.keys()], (laneId) => held.get(laneId)?.served.ask).catch((error) =>
      log.warn({ err: error }, 'the carriers could not be asked'),
    );
    polling = false;
  };
  const pollTimer = setInterval(() => void poll(), Math.min(timing.pollMs, timing.answerMs / 2));
  const running = run();

  return {
    /** Returns whether it has the lane. */
    wake: (laneId: number, singles: boolean): boolean => {
      const lane = held.get(laneId);
      lane?.served.wake(singles);
      return lane !== undefined;
    },
    wakeAll,
    /** Lanes were made, changed or released. */
    changed: stepSignal.signal,
    stop: async (timeoutMs: number): Promise<void> => {
      stopping = true;
      stepSignal.signal();
      await running;
      // While lanes drain, their lease must hold.
      let renewed = Promise.resolve();
      const keep = setInterval(() => {
        renewed = renew().catch(() => {});
      }, stepMs);
      // What is in flight has the first half of this time.
      const abandon = setTimeout(recorder.abandon, 2 * timeoutMs);
      await Promise.all([...held.values()].map(({ served }) => served.stop(timeoutMs)));
      clearTimeout(abandon);
      clearInterval(keep);
      // Or it would store the worker again after its end.
      await renewed;
      clearInterval(pollTimer);
      await states.drain();
      await releases.drain();
      // If the database is away, the next process has to learn from the journal what was left.
      await endWorker(db, worker.id)
        .then(() => journal.current().close())
        .catch((error) => log.warn({ err: error }, 'a worker was not ended'));
    },
  };
};
