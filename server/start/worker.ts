import { join } from 'node:path';
import type { Channel } from '../../contract/ground/channels.ts';
import { keepContacts } from '../customer/contacts/index.ts';
import { takesTestCards } from '../customer/wallet/index.ts';
import { runPhones } from '../fleet/phones/index.ts';
import { recoverWorkers, runDelivery } from '../traffic/delivery/index.ts';
import { newWorker, openLanes, readLanes } from '../traffic/lanes/index.ts';
import { takeBatchRecipients } from '../traffic/outbox/index.ts';
import { runWebhooks } from '../traffic/webhooks/index.ts';
import { lanesOf, refusedChannels } from './lanes.ts';
import type { Rooms } from './rooms.ts';
import { DRAIN_MS, type Setup } from './setup.ts';

/**
 * The role worker: background tasks, lanes, customers' webhooks. The lanes are written down first, so that messages
 * can refer to them; the work begins with `run`.
 */
export const openWorker = async (
  { config, installation, publicUrl, sms, ending }: Setup,
  rooms: Rooms,
): Promise<{ refused: Channel[]; unpaid: boolean; run: () => Promise<void> }> => {
  const { db, log, key, queue, tasks, webhooks, notices, onInbound, processor } = rooms;
  const journals = { folder: join(config.DATA_DIR, 'journals') };
  // Before all else: starting makes way for the next worker of a name, and tasks settle claims that look abandoned.
  await recoverWorkers({ db, log, publisher: rooms }, journals.folder);
  const worker = newWorker(config.WORKER_NAME, config.WORKER_PLACE);
  const lanes = await openLanes(db, worker, lanesOf(config, { sms, key, publicUrl }));
  return {
    refused: refusedChannels(lanes),
    unpaid: takesTestCards(processor.name) && (await readLanes(db)).some(({ simulated }) => !simulated),
    run: async () => {
      await queue.work(tasks);
      const contacts = keepContacts({ db, takeRecipients: takeBatchRecipients, log });
      ending.defer(contacts.stop);
      const handOvers = rooms.handOvers.run();
      ending.defer(handOvers.stop);
      const delivery = runDelivery({
        db,
        log,
        url: installation.url,
        worker,
        lanes,
        journals,
        waking: rooms.waking,
        openCarrier: rooms.madeLanes.openCarrier,
        onInbound,
        publisher: rooms,
        timing: { failoverAfterMs: config.FAILOVER_AFTER_SECONDS * 1_000 },
      });
      ending.defer(() => delivery.stop(DRAIN_MS));
      const phones = runPhones({ ...rooms.phones, log });
      ending.defer(phones.stop);
      const events = runWebhooks({ ...webhooks, notices, log });
      ending.defer(() => events.stop(DRAIN_MS));
    },
  };
};
