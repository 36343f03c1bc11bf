import { MICROS_PER_CENT, microsFromDecimal } from './money.ts';

/** The faults of a typed amount; each has its own text. */
export type AmountFault = 'INVALID' | 'COMMA' | 'ZERO' | 'NEGATIVE' | 'NOT_CENTS' | 'TOO_LARGE';

/**
 * Reads an amount of whole cents as it was typed: digits with a point at most. A comma is refused
 * rather than guessed: `1,50` and `1,500` mean different things to different people. Both sides use it,
 * and it imports nothing heavy.
 */
export const readAmount = (
  typed: string | number,
  { negative = false }: { negative?: boolean } = {},
): { micros: bigint } | { fault: AmountFault } => {
  const text = String(typed).trim();
  if (text.includes(',')) return { fault: 'COMMA' };
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') return { fault: 'INVALID' };
  if (!/[1-9]/.test(whole + fraction)) return { fault: 'ZERO' };
  if (sign && !negative) return { fault: 'NEGATIVE' };
  const micros = microsFromDecimal(`${sign}${whole || '0'}.${fraction.slice(0, 6).padEnd(6, '0')}`);
  if (micros === undefined) return { fault: 'TOO_LARGE' };
  return micros % MICROS_PER_CENT !== 0n || /[1-9]/.test(fraction.slice(2))
    ? { fault: 'NOT_CENTS' }
    : { micros };
};
