import { type Lease, type ServableLane, storeRejecting } from '../lanes/index.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

export type StoreState = (state: Lease & { up: boolean; reason: string }) => Promise<void>;

interface LaneStateOptions {
  store: StoreState;
  /** It goes down on purpose. */
  isStopping: () => boolean;
}

/** What others see of a lane: whether it is up, and whether its carrier refuses everything. */
export const openLaneState = (
  { db, log }: Pick<DeliveryDeps, 'db' | 'log'>,
  { lane, laneId, holder }: Lease & { lane: Pick<ServableLane, 'name'> },
  { store, isStopping }: LaneStateOptions,
) => {
  let state: { up: boolean; reason: string } | undefined;
  let rejectingStored = Promise.resolve();
  return {
    set: (up: boolean, reason: string): Promise<void> => {
      state = { up, reason };
      log[up || isStopping() ? 'info' : 'warn']({ lane: lane.name, up, reason }, 'lane');
      return store({ laneId, holder, up, reason });
    },
    /** Stores the last state once more. */
    restate: (): void => {
      if (state) void store({ laneId, holder, ...state });
    },
    setRejecting: (rejecting: boolean): void => {
      log[rejecting ? 'warn' : 'info']({ lane: lane.name, rejecting }, 'lane');
      // One after the other: the last stored state must be the last reported one.
      rejectingStored = rejectingStored
        .then(() => storeRejecting(db, { laneId, holder, rejecting }))
        .catch((error) => log.warn({ err: error, lane: lane.name }, 'the state of a lane was not stored'));
    },
  };
};
