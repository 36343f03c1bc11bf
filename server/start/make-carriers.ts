import {
  type Carrier,
  type LaneProvider,
  openSettings,
  readSealedOptions,
  type ServableLane,
} from '../lanes/index.ts';
import type { Db } from '../postgres/index.ts';

/** Makes the carrier of a lane that settings don't describe, from what its row holds. */
export const makeCarriers =
  ({ db, key, providers }: { db: Db; key: Buffer; providers: LaneProvider[] }) =>
  async ({ id, provider }: ServableLane): Promise<(() => Carrier) | undefined> => {
    const made = providers.find(({ name }) => name === provider);
    const sealed = (await readSealedOptions(db, [id])).get(id);
    return made && sealed && made.lane(openSettings(key, id, sealed)).carrier;
  };
