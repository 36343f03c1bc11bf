import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readKeyword } from './keyword.ts';

const OUT = [
  'stop',
  'stop all',
  'unsubscribe',
  'cancel',
  'end',
  'quit',
  'opt-out',
  'td',
  't',
  '停止',
  '取消',
  '退訂',
  '退订',
  '退閱',
  '退阅',
  '拒收',
];
const IN = ['start', 'unstop', 'yes', '開始', '恢復', '訂閱', '订阅'];

test.each([
  ...OUT.map((text) => [text, 'out']),
  ...IN.map((text) => [text, 'in']),
  ['ＳＴＯＰ', 'out'],
  ['「STOP」', 'out'],
  [' Stop! \r\n', 'out'],
  ['s.t.o.p', 'out'],
  ['STOP 🛑', 'out'],
  ['\u200eStop\u200e', 'out'],
  ['退訂。', 'out'],
  ['停止\u3000接收', 'out'],
  ['YES?', 'in'],
  ['please stop', undefined],
  ['stop it', undefined],
  ['nonstop', undefined],
  ['don’t stop', undefined],
  ['取消明天的預約', undefined],
  ['stop stop', undefined],
  ['', undefined],
  ['!!!', undefined],
  ['s', undefined],
  [`stop${' '.repeat(1000)}`, undefined],
] as [string, string | undefined][])('%j says %j', (text, keyword) => {
  expect(readKeyword(text)).toBe(keyword);
});

const noise = fc
  .array(
    fc.constantFrom(
      ' ',
      '\n',
      '\t',
      '\u3000',
      '.',
      '!',
      '。',
      '！',
      '「',
      '」',
      '"',
      '-',
      '…',
      '\u200b',
      '\ufeff',
    ),
    {
      maxLength: 4,
    },
  )
  .map((parts) => parts.join(''));
const wide = (letter: string): string =>
  /[!-~]/.test(letter) ? String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0) : letter;

test('case, width, spaces and punctuation change nothing, anywhere in the word', () => {
  const shapes = fc.constantFrom<(letter: string) => string>(
    (letter) => letter,
    (letter) => letter.toUpperCase(),
    wide,
    (letter) => wide(letter.toUpperCase()),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...OUT, ...IN),
      fc.array(fc.tuple(shapes, noise), { minLength: 20, maxLength: 20 }),
      noise,
      (word, changes, before) => {
        const written = [...word].map((letter, at) => {
          const [shape, after] = changes[at] ?? [wide, ''];
          return shape(letter) + after;
        });
        expect(readKeyword(before + written.join(''))).toBe(OUT.includes(word) ? 'out' : 'in');
      },
    ),
  );
});

test('a word among others is none', () => {
  const word = fc.stringMatching(/^[a-z0-9字]{1,12}$/);
  fc.assert(
    fc.property(fc.constantFrom(...OUT, ...IN), word, fc.boolean(), (keyword, other, first) => {
      const text = first ? `${other} ${keyword}` : `${keyword} ${other}`;
      const joined = text.replaceAll(/[ -]/g, '').toUpperCase();
      // Such as 'un' before 'subscribe'.
      fc.pre(
        ![...OUT, ...IN, 'stopall', 'unsub', 'optout', 'optin'].some(
          (one) => one.replaceAll(/[ -]/g, '').toUpperCase() === joined,
        ),
      );
      expect(readKeyword(text)).toBeUndefined();
    }),
  );
});
