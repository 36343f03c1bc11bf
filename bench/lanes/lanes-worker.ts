import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../server/ground/postgres/index.ts';
import { runDelivery } from '../../server/traffic/delivery/index.ts';
import { type Carrier, newWorker, openLanes } from '../../server/traffic/lanes/index.ts';

/** What the bench passes to a worker, as one argument of JSON. */
export interface LanesWorkerOptions {
  databaseUrl: string;
  /** Lanes of its settings. */
  lanes: number;
  /** How many messages a second each carrier takes, one at a time. */
  perSecond: number;
}

/** A carrier like a SIM in a phone: one message at a time, at its pace. */
const slowCarrier = (perSecond: number): Carrier => ({
  provider: 'bench',
  channel: 'sms',
  simulated: false,
  window: 1,
  open: async () => {},
  isUp: () => true,
  send: async ({ id }) => {
    await sleep(1_000 / perSecond);
    process.send?.({ sent: id, at: Date.now() });
    return { outcome: 'accepted', providerMessageId: `bench-${id}` };
  },
  close: async () => {},
});

/** The worker role with many lanes, in a process whose cost can be measured. */
const main = async ({ databaseUrl, lanes: count, perSecond }: LanesWorkerOptions): Promise<void> => {
  const { db, close } = openDatabase({ url: databaseUrl, max: 10, onError: () => {} });
  const worker = newWorker('bench');
  const carrier = () => slowCarrier(perSecond);
  const lanes = await openLanes(
    db,
    worker,
    Array.from({ length: count }, (_, at) => ({
      name: `bench-${at}`,
      channel: 'sms' as const,
      provider: 'bench',
      simulated: false,
      preference: 1,
      carrier,
    })),
  );
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const delivery = runDelivery({ db, log, url: databaseUrl, worker, lanes, openCarrier: () => carrier });
  process.on('message', () => process.send?.({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() }));
  process.send?.('ready');
  process.once('disconnect', () => process.exit(1));
  process.once('SIGTERM', async () => {
    await delivery.stop(5_000);
    await close();
    process.exit(0);
  });
};

await main(JSON.parse(process.argv[2] ?? '{}'));
