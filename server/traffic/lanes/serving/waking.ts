import type { Db } from '../../../ground/postgres/index.ts';
import { wakeLanes } from './wake-store.ts';

/** Wakes a lane; returns whether it is served here. */
type WakeHere = (laneId: number) => boolean;

/**
 * Wake signals to lanes, of which this process may serve some itself. A notification costs the database a commit of its
 * own and wakes every connection that listens, so singles, which are committed by then, do without it where they can.
 */
export const openWaking = () => {
  let here: WakeHere = () => false;
  return {
    /** This process serves lanes from now on. Returns how to end that. */
    serve: (wake: WakeHere): (() => void) => {
      here = wake;
      return () => {
        here = () => false;
      };
    },
    wake: async (db: Db, laneIds: number[], { singles = false } = {}): Promise<void> => {
      const away = singles ? laneIds.filter((laneId) => !here(laneId)) : laneIds;
      if (away.length > 0) await wakeLanes(db, away, { singles });
    },
  };
};
export type Waking = ReturnType<typeof openWaking>;
