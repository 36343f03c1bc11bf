import { Readable } from 'node:stream';
import { CSV_START, csvLine } from '../csv/index.ts';
import type { Db } from '../postgres/index.ts';
import { listWithPurchase } from './list-prices.ts';

/** What an import reads; its names are the fields of the call that sets a price. */
export const PRICE_COLUMNS = [
  'channel',
  'country',
  'carrierName',
  'range',
  'unitPrice',
  'validFrom',
  'validUntil',
] as const;

async function* lines(db: Db): AsyncGenerator<string> {
  yield CSV_START + csvLine([...PRICE_COLUMNS, 'purchaseLeast', 'purchaseMost']);
  for (const { purchase, ...price } of await listWithPurchase(db, { past: false }))
    yield csvLine([
      ...PRICE_COLUMNS.map((name) => price[name] ?? ''),
      purchase?.least ?? '',
      purchase?.most ?? '',
    ]);
}

/** The prices in force and to come; the file can be imported again. */
export const exportPrices = (db: Db): Readable => Readable.from(lines(db));
