import { remember } from '../cache/index.ts';
import { readLanes } from '../lanes/index.ts';
import { makePartitions } from '../outbox/index.ts';
import { openPriceList } from '../prices/index.ts';
import { tellNobody } from '../tell.ts';
import type { SendingRouteDeps } from './routes.ts';
import { openSend } from './send.ts';
import type { SendingDeps } from './sending-deps.ts';

/** A lane that went down is avoided after so long. */
const LANES_KEPT_MS = 1_000;

export const openSending = async ({
  db,
  queue,
  wake,
  optOuts,
  tell = tellNobody,
  isTold = () => tell !== tellNobody,
}: Pick<SendingDeps, 'db' | 'queue' | 'wake' | 'optOuts'> &
  Partial<Pick<SendingDeps, 'tell' | 'isTold'>>): Promise<SendingRouteDeps> => {
  // An installation that was off for months has no partition for today.
  await makePartitions(db, 0);
  const deps: SendingDeps = {
    db,
    queue,
    wake,
    tell,
    isTold,
    optOuts,
    havingOptOuts: new Set(),
    prices: openPriceList(db),
    lanes: remember(() => readLanes(db), LANES_KEPT_MS),
  };
  return { ...deps, send: openSend(deps) };
};
