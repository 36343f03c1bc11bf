import type { Db } from '../../ground/postgres/index.ts';
import type { CallerRoutes } from '../../ground/route/index.ts';
import { type CarrierPrefix, lockPrefixes, readPrefixes, replacePrefixes } from './store.ts';

/** By prefix, so that the audit log tells which changed. */
const carriersOf = (prefixes: CarrierPrefix[]) =>
  Object.fromEntries(prefixes.map(({ prefix, carrierName }) => [prefix, carrierName]));

export const adminCarrierRoutes = ({ db }: { db: Db }): CallerRoutes => ({
  'GET /admin/carrierPrefixes': async () => ({ prefixes: await readPrefixes(db) }),
  'PUT /admin/carrierPrefixes': async ({ body: { prefixes }, changed }) => {
    const before = await db.transaction().execute(async (trx) => {
      await lockPrefixes(trx);
      const were = await readPrefixes(trx);
      await replacePrefixes(trx, prefixes);
      return were;
    });
    changed({ before: carriersOf(before), after: carriersOf(prefixes) });
    return { status: 'ok' } as const;
  },
});
