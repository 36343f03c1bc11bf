import { describe, expect, test } from 'vitest';
import { returnSearch, safeReturnPath } from './return-path.ts';

const ORIGIN = 'https://posthorn.example';

describe('safeReturnPath', () => {
  test.each([
    '/dashboard/profile',
    '/dashboard/messages?filters=%7B%22channel%22%3A%22sms%22%7D',
    '/qf#result',
  ])('keeps the own path %s', (path) => expect(safeReturnPath(path, ORIGIN)).toBe(path));

  test.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '\\\\evil.example',
    'https://evil.example/',
    'https://posthorn.example.evil.example/',
    'javascript:alert(1)',
    'dashboard',
    '',
    undefined,
    42,
  ])('refuses %j', (value) => expect(safeReturnPath(value, ORIGIN)).toBeUndefined());

  test('a guest page is no place to return to', () => {
    expect(safeReturnPath('/login?returnTo=/login', ORIGIN)).toBeUndefined();
  });
});

test('the landing page needs no mention in the address', () => {
  expect(returnSearch('/dashboard')).toEqual({});
  expect(returnSearch('/dashboard/profile')).toEqual({});
  expect(returnSearch('/qf')).toEqual({ returnTo: '/qf' });
});
