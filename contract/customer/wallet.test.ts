import { describe, expect, test } from 'vitest';
import { ledgerFilter, walletCalls } from './wallet.ts';

describe('the days of a filter', () => {
  test.each(['1900-01-01', '2026-11-15', '2999-12-31'])('%s is one', (dateFrom) => {
    expect(ledgerFilter.safeParse({ dateFrom }).success).toBe(true);
  });
  test.each(['0000-01-01', '0999-12-31', '1899-12-31', '3000-01-01', '9999-12-31', '2026-02-30', 'today'])(
    '%s is refused before the database is asked',
    (dateTo) => {
      expect(ledgerFilter.safeParse({ dateTo }).success).toBe(false);
    },
  );
});

describe('the reason of an adjustment', () => {
  const accepts = (reason: string) =>
    walletCalls['POST /account/:accountId/adjustment'].body.safeParse({ amount: 1, reason }).success;
  test.each(['goodwill', '多收款項退回 🎉', 'naïve “quotes”'])('%s is one', (reason) => {
    expect(accepts(reason)).toBe(true);
  });
  test.each(['', 'nul\u0000', 'bell\u0007', 'two\nlines', 'half\ud83c', '\udf89half', 'del\u007f'])(
    '%j is refused',
    (reason) => {
      expect(accepts(reason)).toBe(false);
    },
  );
});
