import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { makeUnsubscribeToken, readUnsubscribeToken } from './unsubscribe-token.ts';

const key = randomBytes(32);
const somebody = {
  accountId: randomUUID() as AccountId,
  channel: 'email' as const,
  recipient: 'jürgen@例子.com',
};

test('a token says who no longer wants messages, and fits into a link', () => {
  const token = makeUnsubscribeToken(key, somebody);
  expect(readUnsubscribeToken(key, token)).toEqual(somebody);
  expect(encodeURIComponent(token)).toBe(token);
});

test('a token of another key, or with any character changed, is none', () => {
  const token = makeUnsubscribeToken(key, somebody);
  expect(readUnsubscribeToken(randomBytes(32), token)).toBeUndefined();
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === 'A' ? 'B' : 'A';
    const changed = token.slice(0, at) + other + token.slice(at + 1);
    const read = readUnsubscribeToken(key, changed);
    // The last character holds bits that are not part of the code.
    if (read !== undefined) expect([at, read]).toEqual([token.length - 1, somebody]);
  }
});

test.each(['', '.', 'a', 'a.', '.a', 'a.b.c', 'a.b', '%00.a', 'x'.repeat(1e6)])('%j is no token', (text) => {
  expect(readUnsubscribeToken(key, text.slice(0, 5_000))).toBeUndefined();
});
