import { remember } from '../../ground/cache/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { type CarrierPrefix, readPrefixes } from './store.ts';

/** The carrier of a number by its longest known prefix; '' if none is known. */
export type CarrierOf = (recipient: string) => string;

export const carrierOf = (prefixes: CarrierPrefix[]): CarrierOf => {
  const byPrefix = new Map(prefixes.map(({ prefix, carrierName }) => [prefix, carrierName]));
  const lengths = [...new Set(prefixes.map(({ prefix }) => prefix.length))].toSorted((a, b) => b - a);
  return (recipient) => {
    for (const length of lengths) {
      const found = byPrefix.get(recipient.slice(0, length));
      if (found !== undefined) return found;
    }
    return '';
  };
};

const KEPT_MS = 10_000;

/** The table, a moment old. */
export const openCarriers = (db: Db): (() => Promise<CarrierOf>) =>
  remember(async () => carrierOf(await readPrefixes(db)), KEPT_MS);
