import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberFromMicros } from '../../../contract/ground/money.ts';
import { centsOf, shareCents } from './share-cents.ts';

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

test.each([
  // Rounded one by one these were 0.01 + 0.01 + 0.01 = 0.03, 0.00 + 0.00 + 0.00 = 0.00 and so on.
  [0.018, [0.006, 0.006, 0.006], [1, 1, 0]],
  [0.012, [0.004, 0.004, 0.004], [1, 0, 0]],
  [10.01, [3.333333, 3.333333, 3.343334], [333, 333, 335]],
  [-0.01, [0.005, -0.015], [1, -2]],
  [0, [0, 0, 0], [0, 0, 0]],
  [0.3, [0.1, 0.2], [10, 20]],
])('of %d the parts %j are shown as %j cents', (total, parts, cents) => {
  expect(shareCents(centsOf(total), parts)).toEqual(cents);
});

test('whatever the parts are, in cents they add up to the rounded total, each within a cent of what it is', () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: -2_000_000_000n, max: 9_000_000_000n }), { minLength: 1, maxLength: 12 }),
      (micros) => {
        const parts = micros.map(numberFromMicros);
        const total = centsOf(numberFromMicros(micros.reduce((all, one) => all + one, 0n)));
        const cents = shareCents(total, parts);
        expect(sum(cents)).toBe(total);
        cents.forEach((one, at) => {
          expect(Math.abs(one - Number(micros[at]) / 10_000)).toBeLessThanOrEqual(1);
        });
      },
    ),
  );
});
