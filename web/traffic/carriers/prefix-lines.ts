import { filledLines } from '../../ground/ui/lines.ts';
import type { CarrierPrefix } from './carriers-query.ts';

/** A line each, such as `+8526 csl`. */
export const toLines = (prefixes: CarrierPrefix[]): string =>
  prefixes.map(({ prefix, carrierName }) => `${prefix} ${carrierName}`).join('\n');

const parse = (line: string): CarrierPrefix | undefined => {
  const [prefix = '', ...name] = line.split(/\s+/);
  const carrierName = name.join(' ');
  return /^\+[1-9]\d{0,14}$/.test(prefix) && carrierName !== '' && carrierName.length <= 100
    ? { prefix, carrierName }
    : undefined;
};

/** The first line that is no prefix and carrier, or whose prefix another has already, if there is one. */
export const faultyPrefixLine = (lines: string): string | undefined => {
  const known = new Set<string>();
  return filledLines(lines).find((line) => {
    const prefix = parse(line)?.prefix;
    if (!prefix || known.has(prefix)) return true;
    known.add(prefix);
    return false;
  });
};

export const fromLines = (lines: string): CarrierPrefix[] =>
  filledLines(lines).flatMap((line) => parse(line) ?? []);
