import { expect, it } from 'vitest';
import {
  afterFew,
  afterFollow,
  afterSearch,
  maySkipSome,
  NO_URGENT,
  NOT_SEARCHED,
  rescan,
  type Scan,
  scanMode,
  type UrgentScan,
  withPlaces,
} from './claim-scan.ts';
import type { ClaimCursor } from './claim-store.ts';
import type { Claimed } from './claimed-store.ts';

const place = (accountId: string, due = '1', priority = 1) => ({ priority, accountId, due }) as ClaimCursor;
const claimed = (...accountIds: string[]) =>
  accountIds.map((accountId) => ({ priority: 1, accountId }) as Claimed);
const SPAN = { begun: 1_000, now: 1_010 };
const accountsOf = ({ places }: Scan): string =>
  [...places.values()].map((one) => one.accountId + one.due).join(' ');

/** Two accounts were found by a search, which is good until 1,210. */
const FOUND = afterSearch(NOT_SEARCHED, [place('a'), place('b')], SPAN);

it.each([
  ['nothing was searched for yet', NOT_SEARCHED, 0, 'SEARCH'],
  ['accounts are known', FOUND, 1_209, 'FOLLOW'],
  ['they were found too long ago', FOUND, 1_210, 'SEARCH'],
  ['something was put back', { ...FOUND, searchAt: 0 }, 1_010, 'SEARCH'],
  ['the search found none', afterSearch(FOUND, [], SPAN), 1_010, 'SEARCH'],
] as const)('%s', (_, scan, now, mode) => {
  expect(scanMode(scan, now)).toBe(mode);
});

it('a search that took long is repeated after a second', () => {
  expect(afterSearch(NOT_SEARCHED, [], { begun: 0, now: 400 }).searchAt).toBe(1_400);
});

it.each([
  [
    'an account with its whole share has more: the one that had nothing is dropped',
    ['a', 'a'],
    ['a'],
    true,
    'a2',
    0,
  ],
  ['a share of each', ['a', 'a', 'b', 'b'], ['a', 'b'], true, 'a2 b2', 0],
  ['no account had its share: the claims rest, and both stay', ['a'], ['a'], false, 'a2 b1', 1_030],
  ['nothing was left', [], [], false, 'a1 b1', 1_030],
])('%s', (_, accounts, reached, full, places, restUntil) => {
  const after = afterFollow(FOUND, {
    claimed: claimed(...accounts),
    reached: reached.map((account) => place(account, '2')),
    limit: 4,
    ...SPAN,
  });
  expect(after.full).toBe(full);
  expect(accountsOf(after.scan)).toBe(places);
  expect(after.scan).toMatchObject({ restUntil, searchAt: FOUND.searchAt });
});

it('places of another priority are kept apart', () => {
  expect(accountsOf(withPlaces(FOUND, [place('a', '3', 0), place('b', '3')]))).toBe('a1 b3 a3');
});

/** Claimed up to the moment 5; from the oldest one again at 2,000. */
const SINCE: UrgentScan = { ...rescan(NO_URGENT, 1_000), since: '5' };

it.each([
  ['all are claimed: the next claim begins at the latest', 'none', ['4', '7', '6'], '7', false],
  ['none were there', 'none', [], '5', false],
  ['they were older, from a transaction that took long', 'none', ['4'], '5', false],
  ['some are left, perhaps older ones of another account', 'some', ['7'], '5', true],
  ['too many', 'many', [], '5', true],
] as const)('%s', (_, left, dues, since, more) => {
  const places = dues.map((due) => place('a', due, 0));
  expect(afterFew(SINCE, { left, places }, SPAN)).toEqual({
    since,
    rescanAt: 2_000,
    nextAt: 1_050,
    left: more,
  });
});

it.each([
  ['some were claimed', ['a'], 'none', 1_500, false],
  ['too many to look at', [], 'many', 1_500, false],
  ['none were there, though we were woken', [], 'none', 1_100, true],
  ['none were there just now either', [], 'none', 1_099, false],
] as const)('%s', (_, accounts, left, begun, may) => {
  expect(maySkipSome(SINCE, { claimed: claimed(...accounts), left }, begun)).toBe(may);
});
