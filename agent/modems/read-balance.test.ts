import { expect, test } from 'vitest';
import { readBalance } from './read-balance.ts';

test.each([
  ['Balance: HKD 48.50. Valid until 2027-03-31.', '48.50', '2027-03-31'],
  ['Your balance is $1,234.5, expiry 31/03/2027', '1234.5', '2027-03-31'],
  ['餘額 12 HKD，有效期至 2027/4/1', '12', '2027-04-01'],
  ['Main 88.00 valid till 1.12.2026. Call 1234 for help', '88.00', '2026-12-01'],
  ['You have 30 free minutes', undefined, undefined],
  ['HKD 12345678901234', undefined, undefined],
  ['€5 until 2027-02-31', '5', undefined],
])('%s', (text, balance, validUntil) => {
  expect(readBalance(text)).toEqual({ balance, validUntil });
});
