import type { Channel } from '../../contract/messages.ts';
import type { Db } from '../postgres/index.ts';

interface PricesTable {
  channel: Channel;
  country: string;
  carrier: string;
  unit_micros: bigint;
}
type Tables = { prices: PricesTable };

export const readPrices = (db: Db) =>
  db
    .withTables<Tables>()
    .selectFrom('prices')
    .select(['channel', 'country', 'carrier', 'unit_micros as unitMicros'])
    .execute();
export type Price = Awaited<ReturnType<typeof readPrices>>[number];
