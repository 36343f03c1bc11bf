import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from './search-params.ts';

test('a token of digits stays the text it is', () => {
  expect(parseSearch('?token=00123e4')).toEqual({ token: '00123e4' });
  expect(stringifySearch({ token: '00123e4' })).toBe('?token=00123e4');
});

test('objects and lists travel as JSON', () => {
  const search = { filters: { channel: 'sms', status: ['PENDING'] } };
  expect(parseSearch(stringifySearch(search))).toEqual(search);
});

test('broken JSON is taken as text', () => {
  expect(parseSearch('?filters={oops')).toEqual({ filters: '{oops' });
});

test('absent values leave no trace', () => {
  expect(stringifySearch({ mail: undefined })).toBe('');
});
