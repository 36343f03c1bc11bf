import { Readable } from 'node:stream';
import { type CsvColumn, csvTable } from '../../../contract/ground/csv.ts';
import { listWithPurchase, type PriceRouteDeps } from './list-prices.ts';

type Listed = Awaited<ReturnType<typeof listWithPurchase>>[number];

const TYPES = {
  channel: 'text',
  country: 'text',
  carrierName: 'text',
  range: 'text',
  unitPrice: 'amount',
  validFrom: 'time',
  validUntil: 'time',
} as const;

/** What an import reads; its names are the fields of the call that sets a price. */
export const PRICE_COLUMNS = Object.keys(TYPES) as (keyof typeof TYPES)[];

const { head, line } = csvTable<Listed>([
  ...PRICE_COLUMNS.map(
    (name): CsvColumn<Listed> => ({ title: name, type: TYPES[name], value: (price) => price[name] }),
  ),
  { title: 'purchaseLeast', type: 'amount', value: ({ purchase }) => purchase?.least ?? null },
  { title: 'purchaseMost', type: 'amount', value: ({ purchase }) => purchase?.most ?? null },
]);

async function* lines(deps: PriceRouteDeps): AsyncGenerator<string> {
  yield head;
  for (const price of await listWithPurchase(deps, { past: false })) yield line(price);
}

/** The prices in force and to come; the file can be imported again. */
export const exportPrices = (deps: PriceRouteDeps): Readable => Readable.from(lines(deps));
