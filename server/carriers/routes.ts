import type { Db } from '../postgres/index.ts';
import type { CallerRoutes } from '../route/index.ts';
import { readPrefixes, replacePrefixes } from './store.ts';

export const adminCarrierRoutes = ({ db }: { db: Db }): CallerRoutes => ({
  'GET /admin/carrierPrefixes': async () => ({ prefixes: await readPrefixes(db) }),
  'PUT /admin/carrierPrefixes': async ({ body: { prefixes } }) => {
    await db.transaction().execute((trx) => replacePrefixes(trx, prefixes));
    return { status: 'ok' } as const;
  },
});
