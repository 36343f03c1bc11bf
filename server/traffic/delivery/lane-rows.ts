import { openBatcher } from '../../ground/batching/index.ts';
import { type Lease, releaseLeases, storeLaneStates } from '../lanes/index.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

const MOST_AT_ONCE = 1_000;
const RETRY_MS = 200;

/** What a worker writes of its lanes into the table: their states, and that they are free again; of many at once. */
export const openLaneRows = ({ db, log }: Pick<DeliveryDeps, 'db' | 'log'>, isStopping: () => boolean) => {
  const states = openBatcher<Lease & { up: boolean; reason: string }>({
    maxItems: MOST_AT_ONCE,
    retry: { isTransient: () => !isStopping(), delayMs: RETRY_MS },
    onError: (error) => log.warn({ err: error }, 'the state of a lane was not stored'),
    flush: (items) => storeLaneStates(db, items),
  });
  const releases = openBatcher<Lease>({
    maxItems: MOST_AT_ONCE,
    onError: (error) => log.warn({ err: error }, 'a lane was not given back'),
    flush: (items) => releaseLeases(db, items),
  });
  return {
    /** Resolves once it is stored, or is not going to be. */
    setState: (state: Lease & { up: boolean; reason: string }): Promise<void> =>
      states.add(state).catch(() => {}),
    release: (lease: Lease): Promise<void> => releases.add(lease).catch(() => {}),
    drain: async (): Promise<void> => {
      await states.drain();
      await releases.drain();
    },
  };
};
