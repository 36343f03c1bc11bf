import { remember } from '../cache/index.ts';
import type { Db } from '../postgres/index.ts';
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

const escaped = (text: string): string => text.replace(/\W/g, '\\$&');

/** A regular expression of PostgreSQL for the numbers of these carriers; undefined if they have no prefix. */
export const numbersOf = (prefixes: CarrierPrefix[], carriers: string[]): string | undefined => {
  const own = prefixes.filter(({ carrierName }) => carriers.includes(carrierName));
  const parts = own.map(({ prefix }) => {
    const others = prefixes.filter(
      (one) => one.prefix.length > prefix.length && one.prefix.startsWith(prefix) && !own.includes(one),
    );
    const except = others.map((one) => escaped(one.prefix.slice(prefix.length))).join('|');
    return `${escaped(prefix)}${except && `(?!${except})`}`;
  });
  return parts.length > 0 ? `^(?:${parts.join('|')})` : undefined;
};

const KEPT_MS = 10_000;

/** The table, a moment old. */
export const openCarriers = (db: Db): (() => Promise<CarrierOf>) =>
  remember(async () => carrierOf(await readPrefixes(db)), KEPT_MS);
