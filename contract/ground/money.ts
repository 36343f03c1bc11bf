/**
 * Money is a bigint of micro-dollars (1 USD = 1,000,000). What travels in JSON is a decimal number: it is
 * read and written through its decimal digits, so that no sum is ever made with a float. This file must
 * not import anything, so that the browser's first load stays small.
 */
export const MICROS_PER_UNIT = 1_000_000n;
export const MICROS_PER_CENT = 10_000n;
const DECIMALS = 6;
/** The bound of PostgreSQL's bigint. */
const MAX_MICROS = 2n ** 63n - 1n;

/** The exact amount, or undefined when the text is not a decimal with at most six places that fits. */
export const microsFromDecimal = (decimal: string): bigint | undefined => {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d{1,19})(?:\.(\d{1,6}))?$/.exec(decimal) ?? [];
  if (sign === undefined) return undefined;
  const micros = BigInt(whole) * MICROS_PER_UNIT + BigInt(fraction.padEnd(DECIMALS, '0'));
  return micros > MAX_MICROS ? undefined : sign ? -micros : micros;
};

/** Exact, with at least two places: `12.50`, `0.032051`, `-3.00`. */
export const decimalFromMicros = (micros: bigint): string => {
  const size = micros < 0n ? -micros : micros;
  const fraction = String(size % MICROS_PER_UNIT)
    .padStart(DECIMALS, '0')
    .replace(/0{1,4}$/, '');
  return `${micros < 0n ? '-' : ''}${size / MICROS_PER_UNIT}.${fraction}`;
};

/** The amount whose decimal digits the number shows, or undefined when they are not money. */
export const microsFromNumber = (amount: number): bigint | undefined => microsFromDecimal(String(amount));

/** For JSON only: the nearest number, exact up to 15 digits. */
export const numberFromMicros = (micros: bigint): number => Number(decimalFromMicros(micros));
