import type { FastifyInstance } from 'fastify';
import { buildApp } from '../http/app.ts';
import { readLatestProof } from '../wallet/index.ts';
import type { Setup } from './setup.ts';

/** Builds what every process answers, whatever its roles: health, readiness, metrics. */
export const openApp = async (
  { config, installation, publicUrl, ending }: Setup,
  isStopping: () => boolean,
): Promise<FastifyInstance> => {
  const { database, log } = installation;
  const app = await buildApp({
    log,
    trustProxy: config.TRUST_PROXY,
    publicUrl,
    metricsToken: config.METRICS_TOKEN,
    gauges: [
      {
        name: 'posthorn_ledger_differences',
        help: 'Wallets whose balance differed from their postings when this was last proven; must be 0',
        read: async () => Number((await readLatestProof(database.db))?.differences ?? 0),
      },
    ],
    checkReady: async () => {
      if (isStopping()) throw new Error('stopping');
      await database.ping();
    },
  });
  ending.defer(() => app.close());
  return app;
};
