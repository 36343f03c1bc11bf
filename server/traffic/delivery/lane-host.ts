import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalSettings } from '../journal/index.ts';
import type { ServableLane, Worker } from '../lanes/index.ts';
import {
  forgetOldSends,
  markUnserved,
  readHeldLanes,
  readServableLanes,
  sweepWorkers,
} from '../lanes/index.ts';
import { openRecorder } from '../outbox/index.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { type HeldLanes, type HeldLanesOptions, openHeldLanes } from './held-lanes.ts';
import { openLaneRows } from './lane-rows.ts';
import { noteFree, planLanes } from './plan-lanes.ts';
import { pollLanes, wakeThoseWithWork } from './poll-lanes.ts';
import { recoverWorkers } from './recover-workers.ts';
import { takeLanes } from './take-lanes.ts';
import { openWakeSignal } from './wake-signal.ts';
import { openWorkerJournal } from './worker-journal.ts';
import { openWorkerLease } from './worker-lease.ts';

export interface HostOptions extends Pick<HeldLanesOptions, 'openCarrier'> {
  worker: Worker;
  /** The lanes of its settings. */
  laneIds: number[];
  /** Where this machine's workers keep their journals; without one the claims of a killed worker are unknown. */
  journals?: JournalSettings | undefined;
}

/** How often a worker extends its lease and looks at the lanes, as a part of the lease. */
const STEPS_A_LEASE = 5;
const RETRY_MS = 200;

interface LookOptions {
  worker: Worker;
  isHeld: (now: number) => boolean;
  isStopping: () => boolean;
  lanes: HeldLanes;
}

/** Looks at the lanes that this worker can reach: takes and gives back what `planLanes` says. */
const openLook = (deps: DeliveryDeps, { worker, isHeld, isStopping, lanes }: LookOptions) => {
  const { db, timing } = deps;
  let freeSince = new Map<number, number>();

  const take = async (wanted: ServableLane[]): Promise<void> => {
    const taken = await takeLanes(deps, worker.id, wanted);
    for (const fresh of taken) {
      freeSince.delete(fresh.laneId);
      await lanes.start(fresh);
    }
    await wakeThoseWithWork(
      deps,
      lanes,
      taken.map(({ laneId }) => laneId),
    );
  };

  return async (): Promise<void> => {
    const reachable = await readServableLanes(db, worker);
    const now = Date.now();
    // With a lease that has lapsed none is ours to serve: they are kept for when it is renewed, or lost.
    if (!isHeld(now)) return;
    freeSince = noteFree(freeSince, { lanes: reachable, held: lanes.held, now });
    const plan = planLanes({
      workerId: worker.id,
      lanes: reachable,
      held: lanes.held,
      freeSince,
      retryAt: lanes.retryAt,
      now,
      orphanMs: timing.leaseMs / 2,
      leastHoldMs: 2 * timing.leaseMs,
    });
    for (const id of [...plan.stop, ...plan.handOver]) lanes.end(id);
    const wanted = new Set(plan.take);
    if (!isStopping() && wanted.size > 0) await take(reachable.filter(({ id }) => wanted.has(id)));
  };
};

/** Sweeps up what others left, once a lease at most. */
const openSweep = ({ db, timing }: Pick<DeliveryDeps, 'db' | 'timing'>) => {
  let sweptAt = 0;
  return async (): Promise<void> => {
    if (Date.now() - sweptAt < timing.leaseMs) return;
    sweptAt = Date.now();
    await sweepWorkers(db);
    await markUnserved(db, timing.leaseMs);
    await forgetOldSends(db);
  };
};

/** While lanes drain, their lease must hold. Returns what ends it. */
const keepRenewing = (renew: () => Promise<void>, stepMs: number): (() => Promise<void>) => {
  let renewed = Promise.resolve();
  const timer = setInterval(() => {
    renewed = renew().catch(() => {});
  }, stepMs);
  return async () => {
    clearInterval(timer);
    // Or it would store the worker again after its end.
    await renewed;
  };
};

/**
 * Serves the lanes that this worker can reach: takes those that are free, up to its share, gives back what was paused,
 * removed or changed, and keeps all leases by one row. It looks for work of all its lanes with one query. Its modes:
 *
 * - SERVING, from the start: it renews its lease several times in it, and looks at the lanes then and whenever it is
 *   signalled: lanes have changed, one has ended, one may be tried again, or the journal is broken. Whether its lease
 *   holds or has lapsed is told by worker-lease.ts; which lanes it holds by held-lanes.ts.
 * - STOPPING, by `stop`: it takes and gives back none. Its lanes drain, and meanwhile it renews its lease for them.
 *   When they are done, and their states and releases are written, the worker is ended.
 */
export const hostLanes = (deps: DeliveryDeps, { worker, laneIds, openCarrier, journals }: HostOptions) => {
  const { db, log, timing } = deps;
  const stepMs = timing.leaseMs / STEPS_A_LEASE;
  let mode: 'SERVING' | 'STOPPING' = 'SERVING';
  const isStopping = (): boolean => mode === 'STOPPING';
  const { signal, wait } = openWakeSignal();
  const journal = openWorkerJournal(deps, { workerId: worker.id, settings: journals, onBroken: signal });
  const lease = openWorkerLease(deps, { worker, laneIds, journal });
  const recorder = openRecorder(deps);
  const rows = openLaneRows(deps, isStopping);
  const { isHeld } = lease;
  const lanes = openHeldLanes(deps, { openCarrier, isHeld, journal, recorder, rows, onFree: signal });
  const look = openLook(deps, { worker, isHeld, isStopping, lanes });
  const sweep = openSweep(deps);

  const renew = async (): Promise<void> => {
    const { mayGoOn, ...renewal } = await lease.renew();
    if (mayGoOn) lanes.wakeAll();
    lanes.renewed(await readHeldLanes(db, worker.id), renewal);
  };

  const run = async (): Promise<void> => {
    let renewAt = 0;
    await journal.open();
    while (!isStopping()) {
      try {
        const isDue = Date.now() >= renewAt || !journal.isStored();
        if (isDue) {
          await renew();
          renewAt = Date.now() + stepMs;
          if (journals) await recoverWorkers(deps, journals.folder);
        }
        await look();
        if (isDue) await sweep();
      } catch (error) {
        log.warn({ err: error }, 'the lanes could not be looked at');
        await sleep(Math.min(RETRY_MS, stepMs));
        continue;
      }
      await wait(Math.max(1, renewAt - Date.now()));
    }
  };
  const polling = pollLanes(deps, lanes);
  const running = run();

  return {
    wake: lanes.wake,
    wakeAll: lanes.wakeAll,
    /** Lanes were made, changed or released. */
    changed: signal,
    stop: async (timeoutMs: number): Promise<void> => {
      mode = 'STOPPING';
      signal();
      await running;
      const stopRenewing = keepRenewing(renew, stepMs);
      // What is in flight has the first half of this time.
      const abandon = setTimeout(recorder.abandon, 2 * timeoutMs);
      await lanes.stop(timeoutMs);
      clearTimeout(abandon);
      await stopRenewing();
      polling.stop();
      await rows.drain();
      await lease.end();
    },
  };
};
