import { expect, test } from 'vitest';
import { followMs } from './follow.ts';

const NOW = Date.parse('2026-11-16T10:00:00Z');
const begun = (secondsAgo: number, status: 'PENDING' | 'SUCCESS' = 'PENDING') => ({
  status,
  createdAt: new Date(NOW - secondsAgo * 1_000).toISOString(),
});

test('a list is read again while something is PENDING, the later the longer that waits', () => {
  expect(followMs([], NOW)).toBe(false);
  expect(followMs([begun(5, 'SUCCESS')], NOW)).toBe(false);
  expect(followMs([begun(2)], NOW)).toBe(3_000);
  expect(followMs([begun(3_600), begun(40)], NOW)).toBe(10_000);
  expect(followMs([begun(86_400)], NOW)).toBe(60_000);
});
