import type { Currency } from '../../contract/constants.ts';
import {
  decimalFromMicros,
  MICROS_PER_CENT,
  MICROS_PER_UNIT,
  microsFromDecimal,
} from '../../contract/money.ts';
import { readAmount } from '../../contract/read-amount.ts';
import { DomainError } from '../domain-error.ts';

const MINIMUM_HKD_CENTS = 5_000n;
/** A cent in micro-dollars times the rate's millionths. */
const HKD_CENT = MICROS_PER_CENT * MICROS_PER_UNIT;
export const MAXIMUM_MICROS = 10_000n * MICROS_PER_UNIT;

const readRate = (hkdPerUsd: string): bigint => {
  const rate = microsFromDecimal(hkdPerUsd);
  if (rate === undefined || rate <= 0n) throw new Error(`the rate ${hkdPerUsd} is not a positive decimal`);
  return rate;
};

/** The fewest whole cents of a dollar for which a card is charged HK$50.00 or more: 6.41 at 7.8. */
export const minimumMicros = (hkdPerUsd: string): bigint => {
  const perCent = readRate(hkdPerUsd) * MICROS_PER_CENT;
  const least = MINIMUM_HKD_CENTS * HKD_CENT - HKD_CENT / 2n;
  return ((least + perCent - 1n) / perCent) * MICROS_PER_CENT;
};

/** What the card is charged for so many dollars, in cents of its currency, rounded half up. */
export const chargeMinor = (amountMicros: bigint, currency: Currency, hkdPerUsd: string): bigint => {
  if (currency === 'USD') return amountMicros / MICROS_PER_CENT;
  return (amountMicros * readRate(hkdPerUsd) + HKD_CENT / 2n) / HKD_CENT;
};

/** A typed amount of whole cents, or the refusal that says what is wrong with it. */
export const acceptAmount = (typed: string | number, options?: { negative: boolean }): bigint => {
  const read = readAmount(typed, options);
  if ('micros' in read && (read.micros < 0n ? -read.micros : read.micros) <= MAXIMUM_MICROS)
    return read.micros;
  const fault = 'fault' in read ? read.fault : 'TOO_LARGE';
  throw new DomainError(`E_AMOUNT_${fault}`, { maximum: decimalFromMicros(MAXIMUM_MICROS) });
};

export const acceptTopUp = (typed: string | number, hkdPerUsd: string): bigint => {
  const micros = acceptAmount(typed);
  const minimum = minimumMicros(hkdPerUsd);
  if (micros < minimum) throw new DomainError('E_AMOUNT_TOO_SMALL', { minimum: decimalFromMicros(minimum) });
  return micros;
};
