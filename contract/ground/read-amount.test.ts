import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalFromMicros } from './money.ts';
import { readAmount } from './read-amount.ts';

test.each([
  ['12', 12_000_000n],
  ['12.', 12_000_000n],
  ['.5', 500_000n],
  [' 12.30 ', 12_300_000n],
  ['012.340000', 12_340_000n],
  [20.5, 20_500_000n],
])('%s is an amount', (typed, micros) => {
  expect(readAmount(typed)).toEqual({ micros });
});

test.each([
  ['1,50', 'COMMA'],
  ['1,000.00', 'COMMA'],
  ['-5', 'NEGATIVE'],
  ['-0', 'ZERO'],
  ['0.000000000000', 'ZERO'],
  ['0.000000000001', 'NOT_CENTS'],
  ['10.005', 'NOT_CENTS'],
  ['1e3', 'INVALID'],
  ['.', 'INVALID'],
  ['１２', 'INVALID'],
  ['1 000', 'INVALID'],
  ['+5', 'INVALID'],
  [Number.POSITIVE_INFINITY, 'INVALID'],
  ['9999999999999999999999', 'TOO_LARGE'],
])('%s is refused: %s', (typed, fault) => {
  expect(readAmount(typed)).toEqual({ fault });
});

test('a negative amount is read where it is allowed', () => {
  expect(readAmount('-5.25', { negative: true })).toEqual({ micros: -5_250_000n });
});

test('whatever whole cents are written are read again', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 14n }), (cents) => {
      const micros = cents * 10_000n;
      expect(readAmount(decimalFromMicros(micros))).toEqual({ micros });
    }),
  );
});
