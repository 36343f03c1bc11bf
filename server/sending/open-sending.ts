import { remember } from '../cache/index.ts';
import { readLanes } from '../lanes/index.ts';
import { makePartitions, publishNothing } from '../outbox/index.ts';
import { openPriceList } from '../prices/index.ts';
import type { SendingRouteDeps } from './routes.ts';
import { openSend } from './send.ts';
import type { SendingDeps } from './sending-deps.ts';

/** A lane that went down is avoided after this long. */
const LANES_KEPT_MS = 1_000;

export const openSending = async ({
  db,
  queue,
  wake,
  optOuts,
  publish = publishNothing,
  hasSubscriber = () => publish !== publishNothing,
}: Pick<SendingDeps, 'db' | 'queue' | 'wake' | 'optOuts'> &
  Partial<Pick<SendingDeps, 'publish' | 'hasSubscriber'>>): Promise<SendingRouteDeps> => {
  // An installation that was off for months has no partition for today.
  await makePartitions(db, 0);
  const deps: SendingDeps = {
    db,
    queue,
    wake,
    publish,
    hasSubscriber,
    optOuts,
    havingOptOuts: new Set(),
    prices: openPriceList(db),
    lanes: remember(() => readLanes(db), LANES_KEPT_MS),
  };
  return { ...deps, send: openSend(deps) };
};
