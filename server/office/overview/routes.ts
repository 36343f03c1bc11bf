import { remember } from '../../ground/cache/index.ts';
import type { CallerRoutes } from '../../ground/route/index.ts';
import { readTraffic } from '../../traffic/outbox/index.ts';
import { type OverviewDeps, readConcerns } from './read-concerns.ts';

const MINUTES = 60;
/** Every admin's page asks every few seconds. */
const KEPT_MS = 3_000;

export const adminOverviewRoutes = (deps: OverviewDeps): CallerRoutes => {
  const concerns = remember(() => readConcerns(deps), KEPT_MS);
  return {
    'GET /admin/overview': async () => ({
      at: new Date().toISOString(),
      concerns: await concerns(),
      traffic: (await readTraffic(deps.db, MINUTES)).map(({ minute, ...counts }) => ({
        minute: minute.toISOString(),
        ...counts,
      })),
    }),
  };
};
