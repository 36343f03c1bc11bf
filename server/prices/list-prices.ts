import type { Reply } from '../../contract/calls.ts';
import { decimalFromMicros } from '../../contract/money.ts';
import { type LaneInUse, readLanes } from '../lanes/index.ts';
import type { Db } from '../postgres/index.ts';
import { listPrices, type Ware } from './store.ts';
import { viewPrice } from './view-price.ts';

type Listed = Reply<'GET /admin/prices'>['prices'][number];

/** What the operator pays for a unit on the lanes that may carry it; simulators and devices cost nothing. */
const purchaseOf = (lanes: LaneInUse[], { channel, country, carrier }: Ware): Listed['purchase'] => {
  const costs = lanes
    .filter(
      (lane) =>
        lane.channel === channel &&
        !lane.simulated &&
        lane.device === null &&
        (lane.countries.length === 0 || country === '' || lane.countries.includes(country)) &&
        (carrier === '' || lane.carrier === carrier),
    )
    .map(({ costMicros, countryCosts }) => BigInt(countryCosts[country] ?? costMicros))
    .toSorted((a, b) => (a < b ? -1 : 1));
  const [least] = costs;
  const most = costs.at(-1);
  return least === undefined || most === undefined
    ? null
    : { least: decimalFromMicros(least), most: decimalFromMicros(most) };
};

/** Prices, each with what its destination costs the operator. */
export const listWithPurchase = async (
  db: Db,
  which: Parameters<typeof listPrices>[1],
): Promise<Listed[]> => {
  const lanes = await readLanes(db);
  return (await listPrices(db, which)).map((price) => ({
    ...viewPrice(price),
    purchase: purchaseOf(lanes, price),
  }));
};
