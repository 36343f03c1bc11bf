import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalFromMicros, microsFromDecimal, microsFromNumber, numberFromMicros } from './money.ts';

const MAX = 2n ** 63n - 1n;

describe('money', () => {
  it('survives being written as a decimal and read again, whatever the amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -MAX, max: MAX }), (micros) => {
        expect(microsFromDecimal(decimalFromMicros(micros))).toBe(micros);
      }),
    );
  });

  it('survives JSON up to a billion dollars', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (micros) => {
        expect(microsFromNumber(JSON.parse(JSON.stringify(numberFromMicros(micros))))).toBe(micros);
      }),
    );
  });

  it.each([
    [0n, '0.00'],
    [1n, '0.000001'],
    [-1n, '-0.000001'],
    [12_500_000n, '12.50'],
    [100_000n, '0.10'],
    [32_051n, '0.032051'],
    [10_000_000n, '10.00'],
    [-3_000_000n, '-3.00'],
  ])('%s micros read %s', (micros, decimal) => {
    expect(decimalFromMicros(micros)).toBe(decimal);
  });

  it.each([
    [0.1, 100_000n],
    [0.3, 300_000n],
    [1.005, 1_005_000n],
    [8.2, 8_200_000n],
    [-0, 0n],
  ])('the number %s is exactly %s micros', (amount, micros) => {
    expect(microsFromNumber(amount)).toBe(micros);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e-7, 0.1 + 0.2, 1e21, 1e19])(
    '%s is not money',
    (amount) => {
      expect(microsFromNumber(amount)).toBeUndefined();
    },
  );

  it.each(['', ' 1', '1.', '.5', '1,000', '1e3', '0x10', '+1', '1.0000001', '--1', '１'])(
    'the text %j is not money',
    (decimal) => {
      expect(microsFromDecimal(decimal)).toBeUndefined();
    },
  );
});
