import { beforeAll, expect, it, vi } from 'vitest';
import { setTexts } from '../../ground/i18n/translate.ts';
import { chargedHkd, readTypedAmount, typedText } from './amount-text.ts';

beforeAll(() => {
  vi.stubGlobal('localStorage', { getItem: () => null });
  setTexts({ 'amount.TOO_SMALL': 'at least {{minimum}}', 'amount.TOO_LARGE': 'at most {{maximum}}' });
});

const bounds = { minimum: 6.41, maximum: 10_000 };

it.each([
  ['20', 20],
  [' 20.5 ', 20.5],
  ['6.41', 6.41],
  ['10000.00', 10_000],
])('%j is an amount', (typed, amount) => {
  expect(readTypedAmount(typed, bounds)).toMatchObject({ amount });
});

it.each([
  ['', '[amount.ZERO]'],
  ['0', '[amount.ZERO]'],
  ['1,5', '[amount.COMMA]'],
  ['-20', '[amount.NEGATIVE]'],
  ['20.000000000001', '[amount.NOT_CENTS]'],
  ['twenty', '[amount.INVALID]'],
  ['6.40', 'at least 6.41'],
  ['10000.01', 'at most 10,000.00'],
  ['99999999999999999999999', 'at most 10,000.00'],
])('%j is answered by %j', (typed, fault) => {
  expect(readTypedAmount(typed, bounds)).toEqual({ fault });
});

it.each([
  [null, ''],
  [5, '5.00'],
  [12.5, '12.50'],
])('a field begins with %s as %j', (amount, text) => {
  expect(typedText(amount)).toBe(text);
});

it.each([
  [20_000_000n, 7.8, 156],
  [6_410_000n, 7.8, 50],
  // 10.03 times 7.85 is 78.7355: half a cent goes up.
  [10_030_000n, 7.85, 78.74],
])('%s micro-dollars at %s are HKD %s', (micros, rate, charged) => {
  expect(chargedHkd(micros, rate)).toBe(charged);
});
