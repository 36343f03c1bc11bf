import { openDatabase } from '../server/ground/postgres/index.ts';
import { smppCarrier, smppOptions } from '../server/providers/smpp/index.ts';
import { type DeliveryTiming, recoverWorkers, runDelivery } from '../server/traffic/delivery/index.ts';
import { newWorker, openLanes } from '../server/traffic/lanes/index.ts';
import { noSubscribers } from '../server/traffic/outbox/index.ts';

/** What a test passes to a worker, as one argument of JSON. */
export interface WorkerOptions {
  databaseUrl: string;
  smppUrl: string;
  /** How long after its death another worker may take the lane. */
  leaseMs: number;
  timing?: Partial<DeliveryTiming>;
  /** Without it what a kill leaves claimed is unknown. */
  journalFolder?: string;
}

/** The worker role with one lane, in a process that can be killed. */
const main = async ({
  databaseUrl,
  smppUrl,
  leaseMs,
  timing,
  journalFolder,
}: WorkerOptions): Promise<void> => {
  const { db, close } = openDatabase({ url: databaseUrl, max: 5, onError: () => {} });
  const definition = {
    name: 'proof',
    channel: 'sms' as const,
    provider: 'smpp',
    simulated: false,
    preference: 1,
    carrier: () => smppCarrier(smppOptions(smppUrl)),
  };
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  if (journalFolder) await recoverWorkers({ db, log, publisher: noSubscribers }, journalFolder);
  const worker = newWorker('bench');
  const lanes = await openLanes(db, worker, [definition]);
  const delivery = runDelivery({
    db,
    log,
    url: databaseUrl,
    worker,
    lanes,
    timing: { leaseMs, ...timing },
    ...(journalFolder && { journals: { folder: journalFolder } }),
  });
  process.send?.('ready');
  process.once('disconnect', () => process.exit(1));
  process.once('SIGTERM', async () => {
    await delivery.stop(5_000);
    await close();
    process.exit(0);
  });
};

await main(JSON.parse(process.argv[2] ?? '{}'));
