import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chargeMinor } from '../../../../contract/customer/settlement.ts';
import { acceptTopUp, minimumMicros } from './top-up-terms.ts';

test('the minimum is what HK$50 are worth', () => {
  expect(minimumMicros('7.8')).toBe(6_410_000n);
  expect(minimumMicros('10')).toBe(5_000_000n);
  expect(() => acceptTopUp('6.40', '7.8')).toThrow('E_AMOUNT_TOO_SMALL');
  expect(acceptTopUp('6.41', '7.8')).toBe(6_410_000n);
});

test('at any rate the minimum charges at least HK$50.00, and a cent less does not', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000_000 }), (millionths) => {
      const rate = `${Math.floor(millionths / 1e6)}.${String(millionths % 1e6).padStart(6, '0')}`;
      const minimum = minimumMicros(rate);
      expect(chargeMinor(minimum, 'HKD', rate) >= 5_000n).toBe(true);
      expect(chargeMinor(minimum - 10_000n, 'HKD', rate) < 5_000n).toBe(true);
    }),
  );
});

test('a charge in HKD is rounded half up to the cent; one in USD is exact', () => {
  expect(chargeMinor(12_340_000n, 'HKD', '7.8')).toBe(9_625n);
  expect(chargeMinor(10_000n, 'HKD', '0.5')).toBe(1n);
  expect(chargeMinor(12_340_000n, 'USD', '7.8')).toBe(1_234n);
});

test.each(['', '0', '-1', '7,8', 'x'])('a rate of %s is refused', (rate) => {
  expect(() => minimumMicros(rate)).toThrow('not a positive decimal');
});
