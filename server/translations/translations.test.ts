import { expect, it } from 'vitest';
import { languageOf, text } from './translations.ts';

it('a missing text shows its label in brackets', () => {
  expect(text('zh_HK', 'no.such.label')).toBe('[no.such.label]');
});

it('fills its placeholders', () => {
  expect(text('en_US', 'error.E_TOO_MANY_REQUESTS', { minutes: 3 })).toContain('3');
});

it.each([
  ['zh-HK,zh;q=0.9', 'zh_HK'],
  ['zh-CN', 'zh_HK'],
  ['en-US,zh;q=0.5', 'en_US'],
  ['fr', 'en_US'],
  [undefined, 'en_US'],
])('%s reads %s', (header, language) => {
  expect(languageOf(header)).toBe(language);
});
