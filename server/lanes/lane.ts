import type { Db } from '../postgres/index.ts';
import type { Carrier } from './carrier.ts';
import { type LaneSettings, syncLanes } from './sync-store.ts';

/** A lane as start/ makes it from the settings. The worker that serves it opens its carrier. */
export interface LaneDefinition extends LaneSettings {
  carrier: () => Carrier;
}

export interface Lane extends LaneDefinition {
  id: number;
}

/** Stores the lanes of the settings, so that messages can refer to them. */
export const openLanes = async (db: Db, definitions: LaneDefinition[]): Promise<Lane[]> => {
  const ids = await syncLanes(db, definitions);
  return definitions.map((definition) => {
    const id = ids.get(definition.name);
    if (id === undefined) throw new Error(`the lane ${definition.name} was not written`);
    return { ...definition, id };
  });
};
