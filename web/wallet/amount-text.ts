import { decimalFromMicros, microsFromNumber, numberFromMicros } from '../../contract/money.ts';
import { type AmountFault, readAmount } from '../../contract/read-amount.ts';
import { chargeMinor, MICROS_PER_CENT } from '../../contract/settlement.ts';
import { formatAmount } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';

export interface AmountBounds {
  minimum?: number;
  maximum?: number;
}

type Fault = AmountFault | 'TOO_SMALL';
type ReadAmount = { micros: bigint; amount: number } | { fault: string };

const faultText = (fault: Fault, { minimum = 0, maximum = 0 }: AmountBounds): ReadAmount => ({
  fault: t(`amount.${fault}`, { minimum: formatAmount(minimum), maximum: formatAmount(maximum) }),
});

/** A typed amount in USD, or in words what is wrong with it. The server decides by the same rules. */
export const readTyped = (typed: string, bounds: AmountBounds = {}): ReadAmount => {
  const read = typed.trim() === '' ? { fault: 'ZERO' as const } : readAmount(typed);
  if ('fault' in read) return faultText(read.fault, bounds);
  const amount = numberFromMicros(read.micros);
  if (bounds.maximum !== undefined && amount > bounds.maximum) return faultText('TOO_LARGE', bounds);
  if (bounds.minimum !== undefined && amount < bounds.minimum) return faultText('TOO_SMALL', bounds);
  return { micros: read.micros, amount };
};

/** The text that reads as this amount, for a field to begin with. */
export const typedText = (amount: number | null): string => {
  const micros = amount === null ? undefined : microsFromNumber(amount);
  return micros === undefined ? '' : decimalFromMicros(micros);
};

/** What a card that is charged in HKD pays for so many dollars, as the server reckons it. */
export const chargedHkd = (micros: bigint, hkdPerUsd: number): number =>
  numberFromMicros(chargeMinor(micros, 'HKD', String(hkdPerUsd)) * MICROS_PER_CENT);
