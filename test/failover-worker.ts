import { openLink } from '../server/ground/http-client/index.ts';
import { openDatabase } from '../server/ground/postgres/index.ts';
import { httpSmsCarrier, laneNameOf, type ProviderTemplate } from '../server/providers/http-sms/index.ts';
import { runDelivery } from '../server/traffic/delivery/index.ts';
import { newWorker, openLanes } from '../server/traffic/lanes/index.ts';

/** What the test passes to a worker, as one argument of JSON. */
export interface FailoverWorkerOptions {
  databaseUrl: string;
  /** The preferred first. */
  templates: ProviderTemplate[];
  leaseMs: number;
  failoverAfterMs: number;
}

/** The worker role with a route of lanes, in a process that can be killed. */
const main = async ({
  databaseUrl,
  templates,
  leaseMs,
  failoverAfterMs,
}: FailoverWorkerOptions): Promise<void> => {
  const { db, close } = openDatabase({ url: databaseUrl, max: 10, onError: () => {} });
  const worker = newWorker('test');
  const lanes = await openLanes(
    db,
    worker,
    templates.map((template, preference) => ({
      name: laneNameOf(template),
      channel: 'sms' as const,
      provider: template.name,
      simulated: false,
      preference,
      route: 'sms',
      carrier: () => httpSmsCarrier({ template, openLink }),
    })),
  );
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const timing = { leaseMs, failoverAfterMs, failoverEveryMs: 100 };
  const delivery = runDelivery({ db, log, url: databaseUrl, worker, lanes, timing });
  process.send?.('ready');
  process.once('disconnect', () => process.exit(1));
  process.once('SIGTERM', async () => {
    await delivery.stop(5_000);
    await close();
    process.exit(0);
  });
};

await main(JSON.parse(process.argv[2] ?? '{}'));
