import type { Db } from '../../ground/postgres/index.ts';
import type { Carrier } from './carrier.ts';
import type { Worker } from './serving/worker-store.ts';
import { type LaneSettings, syncLanes } from './table/sync-store.ts';

/** A lane as start/ makes it from the settings. The worker that serves it opens its carrier. */
export interface LaneDefinition extends LaneSettings {
  carrier: () => Carrier;
}

export interface Lane extends LaneDefinition {
  id: number;
}

/** From its start on, a worker is alive for this long; it extends that as soon as it serves lanes. */
const START_MS = 60_000;

/** Stores a worker and the lanes of its settings, so that messages can refer to them. */
export const openLanes = async (db: Db, worker: Worker, definitions: LaneDefinition[]): Promise<Lane[]> => {
  const ids = await syncLanes(db, { lanes: definitions, worker, leaseMs: START_MS });
  return definitions.map((definition) => {
    const id = ids.get(definition.name);
    if (id === undefined)
      throw new Error(
        `the settings name a lane ${definition.name}, and there is one of that name that was made elsewhere`,
      );
    return { ...definition, id };
  });
};
