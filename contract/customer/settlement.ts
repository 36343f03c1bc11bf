import type { Currency } from '../ground/constants.ts';
import { MICROS_PER_CENT, MICROS_PER_UNIT, microsFromDecimal } from '../ground/money.ts';

export { MICROS_PER_CENT } from '../ground/money.ts';

/** A cent of a Hong Kong dollar, in micro-dollars times the rate's millionths. */
export const HKD_CENT = MICROS_PER_CENT * MICROS_PER_UNIT;

/** The rate's millionths. */
export const readRate = (hkdPerUsd: string): bigint => {
  const rate = microsFromDecimal(hkdPerUsd);
  if (rate === undefined || rate <= 0n) throw new Error(`the rate ${hkdPerUsd} is not a positive decimal`);
  return rate;
};

/** What the card is charged for so many dollars, in cents of its currency, rounded half up. */
export const chargeMinor = (amountMicros: bigint, currency: Currency, hkdPerUsd: string): bigint => {
  if (currency === 'USD') return amountMicros / MICROS_PER_CENT;
  return (amountMicros * readRate(hkdPerUsd) + HKD_CENT / 2n) / HKD_CENT;
};
