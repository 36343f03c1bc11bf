import { countWaitingIn, makePartitions, publishNothing } from '../outbox/index.ts';
import { openPriceList } from '../prices/index.ts';
import { openRouting } from '../routing/index.ts';
import type { SendingRouteDeps } from './routes.ts';
import { openSend } from './send.ts';
import type { SendingDeps } from './sending-deps.ts';

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
    routing: openRouting(db, { countWaiting: countWaitingIn }),
  };
  return { ...deps, send: openSend(deps) };
};
