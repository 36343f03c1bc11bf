import { expect, it } from 'vitest';
import { ERROR_CODES } from '../../../contract/ground/errors.ts';
import { languageOf, type Phrase, phraseText, text } from './translations.ts';

it('a missing text shows its label in brackets', () => {
  // @ts-expect-error: no text has this label.
  expect(text('zh_HK', 'no.such.label')).toBe('[no.such.label]');
});

it('a label that no text has is a fault of types, in a phrase too', () => {
  // @ts-expect-error: no text has this label.
  const phrase: Phrase = { label: 'error.E_LOST' };
  expect(phraseText('en_US', phrase)).toBe('[error.E_LOST]');
});

it('every error has a text', () => {
  // What one lacks is a fault of types here.
  for (const code of ERROR_CODES) expect(text('en_US', `error.${code}`)).not.toBe('');
});

it('fills its placeholders', () => {
  expect(text('en_US', 'error.E_TOO_MANY_REQUESTS', { minutes: 3 })).toContain('3');
});

it('a phrase within a phrase is said in the same language', () => {
  const phrase: Phrase = { label: 'error.E_NOT_TRANSFERRED', values: { reason: { label: 'routing.down' } } };
  expect(phraseText('en_US', phrase)).toBe('The message was not transferred. It is down.');
  expect(phraseText('zh_HK', phrase)).toBe('訊息未能轉移。此線路已中斷。');
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
