import { HKD_CENT, readRate } from '../../../../contract/customer/settlement.ts';
import { decimalFromMicros, MICROS_PER_CENT, MICROS_PER_UNIT } from '../../../../contract/ground/money.ts';
import { readAmount } from '../../../../contract/ground/read-amount.ts';
import { DomainError } from '../../../ground/domain-error.ts';

const MINIMUM_HKD_CENTS = 5_000n;
export const MAXIMUM_MICROS = 10_000n * MICROS_PER_UNIT;

/** The fewest whole cents of a dollar for which a card is charged HK$50.00 or more: 6.41 at 7.8. */
export const minimumMicros = (hkdPerUsd: string): bigint => {
  const perCent = readRate(hkdPerUsd) * MICROS_PER_CENT;
  const least = MINIMUM_HKD_CENTS * HKD_CENT - HKD_CENT / 2n;
  return ((least + perCent - 1n) / perCent) * MICROS_PER_CENT;
};

/** A typed amount of whole cents, or the refusal that says what is wrong with it. */
export const acceptAmount = (
  typed: string | number,
  { negative = false, maximumMicros = MAXIMUM_MICROS }: { negative?: boolean; maximumMicros?: bigint } = {},
): bigint => {
  const read = readAmount(typed, { negative });
  if ('micros' in read && (read.micros < 0n ? -read.micros : read.micros) <= maximumMicros)
    return read.micros;
  const fault = 'fault' in read ? read.fault : 'TOO_LARGE';
  throw new DomainError(`E_AMOUNT_${fault}`, { maximum: decimalFromMicros(maximumMicros) });
};

export const acceptTopUp = (typed: string | number, hkdPerUsd: string): bigint => {
  const micros = acceptAmount(typed);
  const minimum = minimumMicros(hkdPerUsd);
  if (micros < minimum) throw new DomainError('E_AMOUNT_TOO_SMALL', { minimum: decimalFromMicros(minimum) });
  return micros;
};
