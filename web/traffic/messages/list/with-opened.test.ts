import { expect, test } from 'vitest';
import type { ListedMessage } from '../search/list-query.ts';
import { withOpened } from './with-opened.ts';

const message = (_id: string, minute: number, status = 'SUCCESS') =>
  ({ _id, status, createdAt: `2026-03-01T10:0${minute}:00.000Z` }) as ListedMessage;
const ids = (messages: ListedMessage[]): string => messages.map(({ _id }) => _id).join('');
const found = [message('e', 5), message('d', 3), message('b', 3), message('a', 1)];

test.each([
  ['newest', message('x', 9, 'PENDING'), 'xedba'],
  ['in between', message('x', 4, 'PENDING'), 'exdba'],
  ['of the same moment', message('c', 3, 'PENDING'), 'edcba'],
])('a waiting message that was not found stands in its place: %s', (_, opened, expected) => {
  expect(ids(withOpened({ found, more: false, opened }))).toBe(expected);
  expect(ids(withOpened({ found, more: true, opened }))).toBe(expected);
});

test('one that is older than all comes when those before it have come', () => {
  const opened = message('x', 0, 'PENDING');
  expect(ids(withOpened({ found, more: true, opened }))).toBe('edba');
  expect(ids(withOpened({ found, more: false, opened }))).toBe('edbax');
  expect(ids(withOpened({ found: [], more: false, opened }))).toBe('x');
});

test('one that was found is there once, and one that was sent is left to the server', () => {
  expect(withOpened({ found, more: false, opened: message('d', 3, 'PENDING') })).toBe(found);
  expect(withOpened({ found, more: false, opened: message('x', 4) })).toBe(found);
});
