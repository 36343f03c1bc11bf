import type { Reply } from '../../../contract/calls.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import { decimalFromMicros } from '../../../contract/ground/money.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { listPrices, type Ware } from './store.ts';
import { viewPrice } from './view-price.ts';

/** What a lane costs the operator, and where it reaches. */
export interface LaneCost {
  channel: Channel;
  simulated: boolean;
  device: unknown;
  countries: readonly string[];
  carrier: string;
  costMicros: bigint;
  countryCosts: Record<string, string>;
}

export interface PriceRouteDeps {
  db: Db;
  /** The lanes in use. */
  readLanes: (db: Db) => Promise<LaneCost[]>;
}

type Listed = Reply<'GET /admin/prices'>['prices'][number];

/** What the operator pays for a unit on the lanes that may carry it; simulators and devices cost nothing. */
const purchaseOf = (lanes: LaneCost[], { channel, country, carrier }: Ware): Listed['purchase'] => {
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
  { db, readLanes }: PriceRouteDeps,
  which: Parameters<typeof listPrices>[1],
): Promise<Listed[]> => {
  const lanes = await readLanes(db);
  return (await listPrices(db, which)).map((price) => ({
    ...viewPrice(price),
    purchase: purchaseOf(lanes, price),
  }));
};
