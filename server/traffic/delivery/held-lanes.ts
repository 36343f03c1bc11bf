import type { Carrier, ServableLane } from '../lanes/index.ts';
import type { Recorder } from '../outbox/index.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { openRetries } from './lane-retries.ts';
import type { openLaneRows } from './lane-rows.ts';
import { fateOf } from './plan-lanes.ts';
import { type ServedLane, serveLane } from './serve-lane.ts';
import type { FreshLane } from './take-lanes.ts';
import type { WorkerJournal } from './worker-journal.ts';
import type { Renewal } from './worker-lease.ts';

export interface HeldLanesOptions {
  /** Makes the carrier of a lane; undefined if this worker can't. */
  openCarrier: (lane: ServableLane) => (() => Carrier) | undefined | Promise<(() => Carrier) | undefined>;
  /** Whether the worker's lease holds. */
  isHeld: () => boolean;
  journal: WorkerJournal;
  recorder: Recorder;
  rows: ReturnType<typeof openLaneRows>;
  /** A lane is free again, or may be tried again. */
  onFree: () => void;
}

interface HeldLane {
  served: ServedLane;
  revision: number;
  since: number;
  ending: boolean;
}

/**
 * The lanes that this worker holds. A lane is held from the moment that its lease is taken until what was in flight is
 * settled and the lease is released; `ending` means that it was told to stop. One that could not be served is left
 * alone for a while, which grows with each failure and is forgotten as soon as its carrier is up.
 */
export const openHeldLanes = (deps: DeliveryDeps, options: HeldLanesOptions) => {
  const { timing } = deps;
  const { openCarrier, isHeld, journal, recorder, rows, onFree } = options;
  const held = new Map<number, HeldLane>();
  const retries = openRetries(timing);
  let busy = 0;

  const ended = async (laneId: number, holder: string, failure: string | undefined): Promise<void> => {
    if (failure === undefined) retries.succeeded(laneId);
    else setTimeout(onFree, retries.failed(laneId) + 1).unref();
    await rows.release({ laneId, holder });
    if (held.get(laneId)?.served.holder === holder) held.delete(laneId);
    onFree();
  };

  const serve = (fresh: FreshLane, carrier: () => Carrier): void => {
    const { laneId, holder, lane } = fresh;
    const served = serveLane(
      deps,
      { ...fresh, carrier },
      {
        isHeld,
        busyLanes: () => busy,
        journal: journal.current(),
        recorder,
        setState: (state) => {
          if (state.up) retries.succeeded(laneId);
          return rows.setState(state);
        },
        onEnd: ({ failure }) => void ended(laneId, holder, failure),
      },
    );
    held.set(laneId, { served, revision: lane.revision, since: Date.now(), ending: false });
  };

  return {
    held: held as ReadonlyMap<number, HeldLane>,
    retryAt: retries.retryAt,
    start: async (fresh: FreshLane): Promise<void> => {
      const { laneId, holder, lane } = fresh;
      try {
        const carrier = await openCarrier(lane);
        if (!carrier) throw new Error(`this worker has no provider ${lane.provider}`);
        serve(fresh, carrier);
      } catch (error) {
        const reason = (error as Error).message;
        await rows.setState({ laneId, holder, up: false, reason });
        await ended(laneId, holder, reason);
      }
    },
    end: (laneId: number): void => {
      const one = held.get(laneId);
      if (!one || one.ending) return;
      one.ending = true;
      void one.served.stop(timing.drainMs);
    },
    /** The worker's lease was renewed; these are the holders of its lanes by the table. */
    renewed: (holders: ReadonlyMap<number, string>, renewal: Renewal): void => {
      for (const [laneId, { served, since }] of held) {
        const fate = fateOf({ since, holder: served.holder }, { ...renewal, holder: holders.get(laneId) });
        if (fate === 'lost') served.lose();
        else if (fate === 'to be stated again') served.restate();
      }
    },
    tick: (): void => {
      busy = [...held.values()].filter(({ served }) => served.isBusy()).length;
      for (const { served } of held.values()) served.tick();
    },
    /** Returns whether it has the lane. */
    wake: (laneId: number, singles: boolean): boolean => {
      const lane = held.get(laneId);
      lane?.served.wake(singles);
      return lane !== undefined;
    },
    wakeAll: (): void => {
      for (const { served } of held.values()) served.wake(false);
    },
    stop: async (timeoutMs: number): Promise<void> => {
      await Promise.all([...held.values()].map(({ served }) => served.stop(timeoutMs)));
    },
  };
};

export type HeldLanes = ReturnType<typeof openHeldLanes>;
