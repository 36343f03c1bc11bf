import metadata from 'libphonenumber-js/max/metadata';
import type { NumberRange } from '../../../contract/customer/prices.ts';

/** Positions among a country's types in the library's metadata, the dearest first. */
const TYPES: [NumberRange, number][] = [
  ['premium', 3],
  ['shared-cost', 9],
  ['personal', 4],
  ['universal', 6],
];

/** Of calling codes that belong to no country. */
const CALLING_CODES: Record<string, NumberRange> = {
  '979': 'premium',
  '808': 'shared-cost',
  '878': 'personal',
  '870': 'satellite',
  '881': 'satellite',
  '882': 'satellite',
  '883': 'satellite',
};

interface Ranges {
  callingCode: string;
  /** All of them at once, because most numbers are in none. */
  any: RegExp;
  each: [NumberRange, RegExp][];
}

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);

const readRanges = (country: string): Ranges | undefined => {
  const { countries } = metadata as unknown as { countries: Record<string, unknown[]> };
  const [callingCode, , , , , , , , , , , types] = countries[country] ?? [];
  if (typeof callingCode !== 'string' || !Array.isArray(types)) return undefined;
  const patterns = TYPES.flatMap(([range, at]): [NumberRange, string][] => {
    const pattern: unknown = types[at]?.[0];
    return typeof pattern === 'string' && pattern !== '' ? [[range, pattern]] : [];
  });
  if (patterns.length === 0) return undefined;
  return {
    callingCode,
    any: whole(patterns.map(([, pattern]) => pattern).join('|')),
    each: patterns.map(([range, pattern]) => [range, whole(pattern)]),
  };
};

const known = new Map<string, Ranges | undefined>();
const rangesOf = (country: string): Ranges | undefined => {
  if (!known.has(country)) known.set(country, readRanges(country));
  return known.get(country);
};

/**
 * Whether a number is in a range that is dearer than others, by the numbering plan of its country. '' for an ordinary
 * number, and for one that no plan knows: new ranges of mobile numbers are in use before the plans say so.
 */
export const numberRange = ({
  recipient,
  country,
}: {
  recipient: string;
  country: string;
}): NumberRange | '' => {
  if (country === '') return CALLING_CODES[recipient.slice(1, 4)] ?? 'universal';
  const ranges = rangesOf(country);
  const national = recipient.slice(1 + (ranges?.callingCode.length ?? 0));
  if (!ranges?.any.test(national)) return '';
  return ranges.each.find(([, pattern]) => pattern.test(national))?.[0] ?? '';
};
