import type { FastifyInstance } from 'fastify';
import { readLatestProof } from '../customer/wallet/index.ts';
import { type LoopDelay, openLoopDelay } from '../ground/limits/index.ts';
import { buildApp } from '../http/app.ts';
import { listLingering } from '../office/query/index.ts';
import type { Setup } from './setup.ts';

/** Builds what every process answers, whatever its roles: health, readiness, metrics. */
export const openApp = async (
  {
    config,
    installation,
    publicUrl,
    ending,
  }: Pick<Setup, 'config' | 'installation' | 'publicUrl' | 'ending'>,
  isStopping: () => boolean,
): Promise<{ app: FastifyInstance; loop: LoopDelay }> => {
  const { database, log } = installation;
  const loop = openLoopDelay();
  ending.defer(loop.close);
  const app = await buildApp({
    log,
    trustProxy: config.TRUST_PROXY,
    publicUrl,
    metricsToken: config.METRICS_TOKEN,
    gauges: [
      {
        name: 'posthorn_event_loop_delay_seconds',
        help: 'How long work waited for the event loop, the mean of a second; files are refused above 0.4',
        read: async () => loop.seconds(),
      },
      {
        name: 'posthorn_ledger_differences',
        help: 'Wallets whose balance differed from their postings when this was last proven; must be 0',
        read: async () => Number((await readLatestProof(database.db))?.differences ?? 0),
      },
      {
        name: 'posthorn_query_lingering',
        help: 'Queries that go on in the database of a zone although their end was told; must be 0',
        read: async () => (await listLingering(database.db)).length,
      },
    ],
    checkReady: async () => {
      if (isStopping()) throw new Error('stopping');
      await database.ping();
    },
  });
  ending.defer(() => app.close());
  return { app, loop };
};
