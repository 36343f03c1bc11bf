import { remember } from '../../ground/cache/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { readLanes } from '../lanes/index.ts';
import { type Chooser, openChooser } from './chooser.ts';
import { type LaneFacts, laneFacts } from './lane-facts.ts';
import { type CountWaiting, openLoads } from './lane-loads.ts';

/** A lane that went down is avoided after this long. */
const KEPT_MS = 1_000;

/** The chooser of this process, by facts that are a moment old. */
export type Routing = () => Promise<Chooser>;

/** What is known of all lanes now, for one decision that can wait for it. */
export const readLaneFacts = async (db: Db, countWaiting: CountWaiting): Promise<LaneFacts[]> => {
  const lanes = await readLanes(db);
  return laneFacts(lanes, await openLoads(db, countWaiting)(lanes, Date.now()));
};

export const openRouting = (db: Db, { countWaiting }: { countWaiting: CountWaiting }): Routing => {
  const readLoads = openLoads(db, countWaiting);
  let before: Chooser | undefined;
  return remember(async () => {
    const lanes = await readLanes(db);
    const nowMs = Date.now();
    const facts = laneFacts(lanes, await readLoads(lanes, nowMs));
    before = openChooser(facts, { nowMs, before });
    return before;
  }, KEPT_MS);
};
