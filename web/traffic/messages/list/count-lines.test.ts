import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openLineCounter } from './count-lines.ts';

const encoder = new TextEncoder();
const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

test('lines are counted whatever their texts and wherever the pieces are cut', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', '\r\n', ',', '你', '\n'), maxLength: 6 });
  const table = fc.array(fc.array(text, { minLength: 2, maxLength: 3 }), { maxLength: 8 });
  fc.assert(
    fc.property(table, fc.integer({ min: 1, max: 9 }), (rows, size) => {
      const bytes = encoder.encode(rows.map((cells) => `${cells.map(cell).join(',')}\r\n`).join(''));
      const counter = openLineCounter();
      let lines = 0;
      for (let at = 0; at < bytes.length; at += size) lines = counter.add(bytes.subarray(at, at + size));
      expect(lines).toBe(rows.length);
      expect(counter.isWhole()).toBe(true);
    }),
  );
});

test('what ends in the middle of a line or of a text is not whole', () => {
  for (const [text, whole] of [
    ['a,b\r\nc', false],
    ['a,"b\r\n', false],
    ['a,"b"\r\n', true],
  ] as const) {
    const counter = openLineCounter();
    counter.add(encoder.encode(text));
    expect(counter.isWhole()).toBe(whole);
  }
});
