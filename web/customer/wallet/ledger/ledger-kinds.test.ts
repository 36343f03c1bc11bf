import { expect, it } from 'vitest';
import { ENTRY_KINDS } from '../../../../contract/customer/wallet.ts';
import { LEDGER_KINDS, readLedgerFilter } from './ledger-kinds.ts';

it('every kind of entry can be chosen', () => {
  expect([...LEDGER_KINDS].sort()).toEqual([...ENTRY_KINDS].sort());
});

it('reads a filter from the address and leaves out what makes no sense', () => {
  const sound = { dateFrom: '2026-11-01', dateTo: '2026-11-15', kind: 'TOP_UP' };
  expect(readLedgerFilter(sound)).toEqual(sound);
  expect(readLedgerFilter({ dateFrom: '2026-13-40', dateTo: 'today', kind: 'GIFT', other: 1 })).toEqual({});
});
