import { expect, it } from 'vitest';
import type { CardId } from '../../../../contract/customer/wallet.ts';
import { cardName, faceOf } from './card-face.ts';

const card = (brand: string, exp_month: number, exp_year: number) => ({
  _id: 'a' as CardId,
  default: false,
  customer: { sources: { data: [{ last4: '4242', brand, exp_month, exp_year }] } },
});
const now = new Date('2026-11-15T12:00:00Z');

it.each([
  [10, 2026, 'expired'],
  [11, 2026, 'soon'],
  [12, 2026, 'good'],
  [1, 2026, 'expired'],
  [12, 2030, 'good'],
] as const)('a card that holds to the end of %s/%s is %s', (month, year, state) => {
  expect(faceOf(card('visa', month, year), now).state).toBe(state);
});

it('shows a brand as people know it, and an unknown one as it came', () => {
  expect(cardName(card('amex', 1, 2030))).toBe('American Express •••• 4242');
  expect(cardName(card('cartes_bancaires', 1, 2030))).toBe('cartes_bancaires •••• 4242');
});
