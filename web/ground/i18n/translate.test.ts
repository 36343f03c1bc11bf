import { beforeEach, describe, expect, test } from 'vitest';
import { setTexts, t } from './translate.ts';

describe('t', () => {
  beforeEach(() => setTexts({ hello: 'Hello {{name}}, you have {{count}} messages.', empty: '' }));

  test('a missing text shows its label in brackets', () => {
    expect(t('not.there')).toBe('[not.there]');
    expect(t('toString')).toBe('[toString]');
  });

  test('an empty text is a text', () => expect(t('empty')).toBe(''));

  test('placeholders are filled in, zero too', () => {
    expect(t('hello', { name: 'Kit', count: 0 })).toBe('Hello Kit, you have 0 messages.');
  });

  test('a value is taken as it is, even when it looks like a placeholder or a pattern', () => {
    expect(t('hello', { name: '$& {{count}}', count: 2 })).toBe('Hello $& {{count}}, you have 2 messages.');
  });

  test('a placeholder without its value stays visible', () => {
    expect(t('hello', { name: 'Kit' })).toBe('Hello Kit, you have {{count}} messages.');
  });
});
