import { expect, test } from 'vitest';
import { defaultLog, readLog } from './log-filters.ts';
import { logQueryOf } from './log-query.ts';

// In Hong Kong it is the 16th already.
const NOW = new Date('2026-11-15T17:00:00Z');

test('the log begins seven days ago, ends tomorrow and leaves no status out', () => {
  expect(defaultLog(NOW)).toEqual({
    dateFrom: '2026-11-09',
    dateTo: '2026-11-17',
    status: '',
    sort: 'createdAt',
    order: 'desc',
    page: 1,
  });
});

test('an address is read as far as it makes sense', () => {
  expect(readLog({ status: 'FAILED', page: 3, sort: 'message', dateTo: '2026-02-30' }, NOW)).toEqual({
    ...defaultLog(NOW),
    status: 'FAILED',
    page: 3,
  });
  expect(readLog({ status: 'FAILED_WITH_EXCEPTION' }, NOW).status).toBe('FAILED_WITH_EXCEPTION');
  for (const given of [undefined, null, 'x', 7, [1], { status: 'CANCELLED', page: 0, order: 'up' }])
    expect(readLog(given, NOW)).toEqual(defaultLog(NOW));
});

test('the call has sort and sortDesc, fifteen at a time, and no status for Any', () => {
  const account = '0198f7a2-0000-7000-8000-000000000000';
  expect(logQueryOf(account, { ...defaultLog(NOW), page: 3 })).toEqual({
    accountId: account,
    dateFrom: '2026-11-09',
    dateTo: '2026-11-17',
    sort: 'createdAt',
    sortDesc: 'desc',
    limit: 15,
    skip: 30,
  });
  expect(logQueryOf(account, { ...defaultLog(NOW), status: 'PENDING' })).toHaveProperty('status', 'PENDING');
});
