import { property, assert as propertyHolds, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { segmentation } from './segments.ts';

/** GSM 03.38 as its specification prints it: code by code, so that it can be compared by eye. */
const BASIC_TABLE: [number, string][] = [
  [0x00, '@£$¥èéùìòÇ\nØø\rÅå'],
  [0x10, 'Δ_ΦΓΛΩΠΨΣΘΞ'],
  [0x1c, 'ÆæßÉ'],
  [0x20, ' !"#¤%&\'()*+,-./'],
  [0x30, '0123456789:;<=>?'],
  [0x40, '¡ABCDEFGHIJKLMNO'],
  [0x50, 'PQRSTUVWXYZÄÖÑÜ§'],
  [0x60, '¿abcdefghijklmno'],
  [0x70, 'pqrstuvwxyzäöñüà'],
];
const EXTENSIONS = ['\f', '^', '{', '}', '\\', '[', '~', ']', '|', '€'];
const basic = BASIC_TABLE.flatMap(([, row]) => [...row]);

const counted = (text: string) => {
  const { encoding, places, segments, left } = segmentation(text);
  return [encoding, places, segments, left];
};

describe('the GSM alphabet', () => {
  test('has 127 characters beside the escape', () => {
    expect(new Set(basic).size).toBe(127);
  });
  test.each(basic.map((character) => [character, character.codePointAt(0)?.toString(16)]))(
    '%j (U+%s) takes one place',
    (character) => {
      expect(counted(character)).toEqual(['GSM', 1, 1, 159]);
    },
  );
  test.each(EXTENSIONS)('the extension %j takes two places', (character) => {
    expect(counted(character)).toEqual(['GSM', 2, 1, 158]);
  });
});

test.each([
  ['the escape itself', '\x1b'],
  ['a back-tick', '`'],
  ['a tab', '\t'],
  ['small c with cedilla, though the capital is there', 'ç'],
  ['á, though à is there', 'á'],
  ['Greek capital alpha, though it looks like A', 'Α'],
  ['a curly apostrophe', '’'],
  ['a no-break space', '\u00a0'],
  ['a combining accent after a plain letter', 'e\u0301'],
  ['Chinese', '你好'],
])('%s makes it UCS-2', (_, text) => {
  expect(counted(text)).toEqual(['UCS2', text.length, 1, 70 - text.length]);
});

test.each([
  ['an empty text', '', ['GSM', 0, 0, 160]],
  ['160 of the alphabet', 'a'.repeat(160), ['GSM', 160, 1, 0]],
  ['161', 'a'.repeat(161), ['GSM', 161, 2, 145]],
  ['2 parts, full', 'a'.repeat(306), ['GSM', 306, 2, 0]],
  ['2 parts and one more', 'a'.repeat(307), ['GSM', 307, 3, 152]],
  ['10 parts, full', 'a'.repeat(1530), ['GSM', 1530, 10, 0]],
  ['10 parts and one more', 'a'.repeat(1531), ['GSM', 1531, 11, 152]],
  ['159 and an extension', `${'a'.repeat(159)}€`, ['GSM', 161, 2, 145]],
  ['80 extensions', '€'.repeat(80), ['GSM', 160, 1, 0]],
  ['81 extensions: 76 to a part, its last place unused', '€'.repeat(81), ['GSM', 162, 2, 143]],
  [
    'an escape that would be cut from its character',
    `${'a'.repeat(152)}€${'a'.repeat(151)}`,
    ['GSM', 305, 2, 0],
  ],
  ['the same and one more', `${'a'.repeat(152)}€${'a'.repeat(152)}`, ['GSM', 306, 3, 152]],
  ['70 Chinese characters', '字'.repeat(70), ['UCS2', 70, 1, 0]],
  ['71', '字'.repeat(71), ['UCS2', 71, 2, 63]],
  ['2 parts of Chinese, full', '字'.repeat(134), ['UCS2', 134, 2, 0]],
  ['2 parts of Chinese and one more', '字'.repeat(135), ['UCS2', 135, 3, 66]],
  ['one Chinese character among 69 letters', `${'a'.repeat(69)}字`, ['UCS2', 70, 1, 0]],
  ['one Chinese character among 70 letters', `${'a'.repeat(70)}字`, ['UCS2', 71, 2, 63]],
  ['extensions count one in UCS-2', `字${'€'.repeat(69)}`, ['UCS2', 70, 1, 0]],
  ['an emoji', '😀', ['UCS2', 2, 1, 68]],
  ['35 emoji', '😀'.repeat(35), ['UCS2', 70, 1, 0]],
  ['36 emoji: 33 to a part, its last place unused', '😀'.repeat(36), ['UCS2', 72, 2, 61]],
  ['a surrogate pair that would be cut', `${'字'.repeat(66)}😀${'字'.repeat(65)}`, ['UCS2', 133, 2, 0]],
  ['the same and one more', `${'字'.repeat(66)}😀${'字'.repeat(66)}`, ['UCS2', 134, 3, 66]],
  ['a family joined from four people', '👨‍👩‍👧‍👦', ['UCS2', 11, 1, 59]],
  ['a flag', '🇭🇰', ['UCS2', 4, 1, 66]],
  ['a thumb with its tone', '👍🏽', ['UCS2', 4, 1, 66]],
  ['a character beyond the first plane', '𠮷'.repeat(35), ['UCS2', 70, 1, 0]],
  ['combining marks count on their own', 'e\u0301'.repeat(35), ['UCS2', 70, 1, 0]],
  ['Windows line ends count two', '\r\n'.repeat(80), ['GSM', 160, 1, 0]],
  ['a lone surrogate', '\ud83d', ['UCS2', 1, 1, 69]],
])('%s', (_, text, expected) => {
  expect(counted(text)).toEqual(expected);
});

test('the parts always hold the text, and one part less would not', () => {
  propertyHolds(
    property(string({ unit: 'binary', maxLength: 400 }), (text) => {
      const { encoding, places, segments, left } = segmentation(text);
      const [single, part] = encoding === 'GSM' ? [160, 153] : [70, 67];
      const room = segments <= 1 ? single : segments * part;
      // Each part but the last may waste one place.
      expect(places + left).toBeLessThanOrEqual(room);
      expect(places + left).toBeGreaterThanOrEqual(room - Math.max(0, segments - 1));
    }),
  );
});
