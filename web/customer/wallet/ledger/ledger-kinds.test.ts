import { expect, it } from 'vitest';
import { ENTRY_KINDS } from '../../../../contract/customer/entry-kinds.ts';
import { readLedgerFilter } from './ledger-kinds.ts';

it('every kind of entry can be chosen', () => {
  for (const kind of ENTRY_KINDS) expect(readLedgerFilter({ kind })).toEqual({ kind });
});

it('reads a filter from the address and leaves out what makes no sense', () => {
  const sound = { dateFrom: '2026-11-01', dateTo: '2026-11-15', kind: 'TOP_UP' };
  expect(readLedgerFilter(sound)).toEqual(sound);
  expect(readLedgerFilter({ dateFrom: '2026-13-40', dateTo: 'today', kind: 'GIFT', other: 1 })).toEqual({});
});
