import type { Channel } from '../../../contract/ground/channels.ts';
import { remember } from '../../ground/cache/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { type Price, readPrices, type Ware } from './store.ts';

/** All processes see a changed price after this long. */
const KEPT_MS = 5_000;

/** Micro-dollars per unit; undefined if it has no price, and so can't be sold. */
export type PriceOf = (ware: Ware) => bigint | undefined;

export interface PriceList {
  /** The prices in force, to be used for everything that one call prices. */
  read: () => Promise<PriceOf>;
  /** Countries whose ordinary numbers have a price, by any carrier. */
  countries: (channel: Channel) => Promise<string[]>;
}

const keyOf = ({ channel, country, carrier, range }: Ware): string =>
  `${channel}/${country}/${carrier}/${range}`;

/** The row with the carrier wins. No row stands for another country or another range. */
const lookUp = (prices: Price[]): PriceOf => {
  const byKey = new Map(prices.map((price) => [keyOf(price), price.unitMicros]));
  return (ware) => byKey.get(keyOf(ware)) ?? byKey.get(keyOf({ ...ware, carrier: '' }));
};

const isInForce = ({ validFrom, validUntil }: Price, nowMs: number): boolean =>
  +validFrom <= nowMs && (validUntil === null || +validUntil > nowMs);

export const openPriceList = (db: Db): PriceList => {
  const readValid = async (): Promise<Price[]> => {
    const prices = await readPrices(db);
    const nowMs = Date.now();
    return prices.filter((price) => isInForce(price, nowMs));
  };
  const valid = remember(readValid, KEPT_MS);
  return {
    read: remember(async () => lookUp(await readValid()), KEPT_MS),
    countries: async (channel) => {
      const priced = (await valid()).filter((price) => price.channel === channel && price.range === '');
      return [...new Set(priced.map(({ country }) => country))].sort();
    },
  };
};
