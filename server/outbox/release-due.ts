import { CHANNELS } from '../../contract/messages.ts';
import { DomainError } from '../domain-error.ts';
import { type LaneInUse, pickLane } from '../lanes/index.ts';
import type { Db } from '../postgres/index.ts';
import { type Route, routeDue } from './new-message-store.ts';

export const RELEASE_DUE = 'messages.release-due';
/** Of some hundred messages each. */
const CHUNKS = 20;

export interface ReleaseDeps {
  db: Db;
  /** The active lanes, cached for a moment. */
  lanes: () => Promise<LaneInUse[]>;
  /** Wakes the workers that serve these lanes when the transaction commits. */
  wake: (trx: Db, laneIds: number[]) => Promise<void>;
}

/** A message that was paid for as real never goes to a simulator, even if nothing real is configured any more. */
const routesOf = (lanes: LaneInUse[]): Route[] =>
  CHANNELS.flatMap((channel) =>
    [true, false].flatMap((test) => {
      try {
        const lane = pickLane(lanes, { channel, test });
        return lane.simulated === test ? [{ channel, test, laneId: lane.id }] : [];
      } catch (error) {
        if (error instanceof DomainError) return [];
        throw error;
      }
    }),
  );

/** Puts scheduled messages that are due into lanes, a few chunks at a time, so that the first are sent immediately. */
export const releaseDue = async (deps: ReleaseDeps): Promise<number> => {
  const routes = routesOf(await deps.lanes());
  let released = 0;
  for (;;) {
    const laneIds = await deps.db.transaction().execute(async (trx) => {
      const found = await routeDue(trx, routes, CHUNKS);
      if (found.length > 0) await deps.wake(trx, [...new Set(found)]);
      return found;
    });
    released += laneIds.length;
    if (laneIds.length === 0) return released;
  }
};
