import type { Channel } from '../../contract/messages.ts';
import { remember } from '../cache/index.ts';
import type { Db } from '../postgres/index.ts';
import { type Price, readPrices } from './store.ts';

/** All processes see a changed price after this long. */
const KEPT_MS = 5_000;

/** What to price. Country and carrier are '' if unknown or irrelevant. */
interface Ware {
  channel: Channel;
  country: string;
  carrier: string;
}

/** Micro-dollars per unit; undefined if the channel has no price, and so can't be sold. */
export type PriceOf = (ware: Ware) => bigint | undefined;

export interface PriceList {
  /** The prices in force, to be used for everything that one call prices. */
  read: () => Promise<PriceOf>;
}

const keyOf = ({ channel, country, carrier }: Ware): string => `${channel}/${country}/${carrier}`;

/** The most precise row wins: carrier before country before any. */
const lookUp = (prices: Price[]): PriceOf => {
  const byKey = new Map(prices.map((price) => [keyOf(price), price.unitMicros]));
  return (ware) =>
    byKey.get(keyOf(ware)) ??
    byKey.get(keyOf({ ...ware, country: '' })) ??
    byKey.get(keyOf({ ...ware, carrier: '' })) ??
    byKey.get(keyOf({ ...ware, country: '', carrier: '' }));
};

export const openPriceList = (db: Db): PriceList => ({
  read: remember(async () => lookUp(await readPrices(db)), KEPT_MS),
});
