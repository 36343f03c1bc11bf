import type { SandboxCard } from '../../../contract/customer/sandbox-cards.ts';
import type { CardFormFault, SandboxForm } from '../../customer/wallet/card-processor.ts';

type TypedForm = Parameters<SandboxForm['confirm']>[0];

/** No bank issues cards for longer; a later date is a typing error. */
const LONGEST_YEARS = 50;

/** The check digit of card numbers (ISO/IEC 7812). */
const isCardNumber = (digits: string): boolean =>
  /^\d{12,19}$/.test(digits) &&
  [...digits].reverse().reduce((sum, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return sum + (value > 9 ? value - 9 : value);
  }, 0) %
    10 ===
    0;

/** A card is valid to the end of its month. */
export const isExpired = (card: { expMonth: number; expYear: number }, now: Date): boolean =>
  Date.UTC(card.expYear, card.expMonth, 1) <= now.getTime();

/** The test card that was typed, or what is wrong with it. */
export const readCardForm = (
  form: Omit<TypedForm, 'clientSecret'>,
  cards: readonly SandboxCard[],
  now: Date,
): SandboxCard | CardFormFault => {
  const digits = form.number.replaceAll(/[\s-]/g, '');
  if (!isCardNumber(digits)) return 'number';
  const card = cards.find(({ number }) => number === digits);
  if (!card) return 'not-a-test-number';
  const isMonth = Number.isInteger(form.expMonth) && form.expMonth >= 1 && form.expMonth <= 12;
  const isYear = Number.isInteger(form.expYear) && form.expYear <= now.getUTCFullYear() + LONGEST_YEARS;
  if (!isMonth || !isYear || isExpired(form, now)) return 'expiry';
  return /^\d{3}$/.test(form.cvc) ? card : 'cvc';
};
