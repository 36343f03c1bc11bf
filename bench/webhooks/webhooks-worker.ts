import { openHttpClient } from '../../server/ground/http-client/index.ts';
import { openDatabase } from '../../server/ground/postgres/index.ts';
import { httpReceivers } from '../../server/providers/http-receivers/index.ts';
import { openWebhooks, runWebhooks } from '../../server/traffic/webhooks/index.ts';

/** What the proof passes to a worker, as one argument of JSON. */
export interface WorkerOptions {
  databaseUrl: string;
  /** In hexadecimal. */
  secretKey: string;
  /** How long after its death another worker may take an endpoint. */
  leaseMs: number;
}

/** The worker role with only webhooks, in a process that can be killed. */
const main = async ({ databaseUrl: url, secretKey, leaseMs }: WorkerOptions): Promise<void> => {
  const { db, close } = openDatabase({ url, max: 10, onError: () => {} });
  const log = { warn: () => {} };
  const receivers = httpReceivers({ allowPrivate: true, openHttpClient });
  const webhooks = openWebhooks({ db, url, log });
  const served = runWebhooks({
    db,
    queue: { send: async () => {} },
    secretKey: Buffer.from(secretKey, 'hex'),
    receivers,
    notices: webhooks.notices,
    log,
    timing: { leaseMs },
  });
  process.send?.('ready');
  process.once('disconnect', () => process.exit(1));
  process.once('SIGTERM', async () => {
    await served.stop(2_000);
    await webhooks.close();
    await close();
    process.exit(0);
  });
};

await main(JSON.parse(process.argv[2] ?? '{}'));
