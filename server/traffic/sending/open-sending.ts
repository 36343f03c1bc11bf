import { openPriceList } from '../../customer/prices/index.ts';
import { openOwnSenders } from '../../customer/senders/index.ts';
import { NO_SPENDING_RULES } from '../../customer/wallet/index.ts';
import { openCarriers } from '../carriers/index.ts';
import { readLaneSenders } from '../lanes/index.ts';
import { countWaitingIn, makePartitions, noSubscribers, type Publisher } from '../outbox/index.ts';
import { openRouting } from '../routing/index.ts';
import type { SendingRouteDeps } from './routes.ts';
import { openSend } from './send.ts';
import type { SendingDeps, SendingRules } from './sending-deps.ts';

export const openSending = async ({
  db,
  queue,
  wake,
  optOuts,
  devices,
  limits = { consume: async () => {} },
  publisher: { publish, publishingRows, hasSubscriber } = noSubscribers,
  rules = { ...NO_SPENDING_RULES, newCountries: Number.POSITIVE_INFINITY },
}: Pick<SendingDeps, 'db' | 'queue' | 'wake' | 'optOuts' | 'devices'> & {
  publisher?: Publisher;
  /** Without them nothing is limited. */
  limits?: SendingDeps['limits'];
  rules?: SendingRules;
}): Promise<SendingRouteDeps> => {
  // An installation that was off for months has no partition for today.
  await makePartitions(db, 0);
  const deps: SendingDeps = {
    db,
    queue,
    limits,
    wake,
    publish,
    publishingRows,
    hasSubscriber,
    optOuts,
    havingOptOuts: new Set(),
    rules,
    knownCountries: new Set(),
    prices: openPriceList(db),
    senders: openOwnSenders(db, readLaneSenders),
    devices,
    carriers: openCarriers(db),
    routing: openRouting(db, { countWaiting: countWaitingIn }),
  };
  return { ...deps, send: openSend(deps) };
};
