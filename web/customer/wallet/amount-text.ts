import { chargeMinor, MICROS_PER_CENT } from '../../../contract/customer/settlement.ts';
import { decimalFromMicros, microsFromNumber, numberFromMicros } from '../../../contract/ground/money.ts';
import { type AmountFault, readAmount } from '../../../contract/ground/read-amount.ts';
import { formatAmount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';

export interface AmountBounds {
  minimum?: number;
  maximum?: number;
}

type Fault = AmountFault | 'TOO_SMALL';
type ReadAmount = { micros: bigint; amount: number } | { fault: string };

const faultText = (fault: Fault, { minimum = 0, maximum = 0 }: AmountBounds): ReadAmount => ({
  fault: t(`amount.${fault}`, { minimum: formatAmount(minimum), maximum: formatAmount(maximum) }),
});

/** A typed amount in USD, or the text of its fault. The server decides by the same rules. */
export const readTypedAmount = (typed: string, bounds: AmountBounds = {}): ReadAmount => {
  const read = typed.trim() === '' ? { fault: 'ZERO' as const } : readAmount(typed);
  if ('fault' in read) return faultText(read.fault, bounds);
  const amount = numberFromMicros(read.micros);
  if (bounds.maximum !== undefined && amount > bounds.maximum) return faultText('TOO_LARGE', bounds);
  if (bounds.minimum !== undefined && amount < bounds.minimum) return faultText('TOO_SMALL', bounds);
  return { micros: read.micros, amount };
};

/** The text of an amount, as the initial value of a field. */
export const typedText = (amount: number | null): string => {
  const micros = amount === null ? undefined : microsFromNumber(amount);
  return micros === undefined ? '' : decimalFromMicros(micros);
};

/** The amount in HKD that a card is charged for an amount in USD, calculated as the server does. */
export const chargedHkd = (micros: bigint, hkdPerUsd: number): number =>
  numberFromMicros(chargeMinor(micros, 'HKD', String(hkdPerUsd)) * MICROS_PER_CENT);
