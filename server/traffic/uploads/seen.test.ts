import { expect, test } from 'vitest';
import { openSeen } from './seen.ts';

test('each text is new once, also beyond the first size', () => {
  const { isSeen } = openSeen();
  const texts = Array.from({ length: 50_000 }, (_, at) => `text ${at}`);
  expect(texts.filter((text) => isSeen(text))).toEqual([]);
  expect(texts.every((text) => isSeen(text))).toBe(true);
});

/** The first half of cyrb53, a public hash without a key. */
const publicHash = (text: string): number => {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  return Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
};

test('texts that are chosen to meet in one place of a table take no more steps than others', () => {
  const { isSeen, steps } = openSeen();
  const chosen: string[] = [];
  for (let at = 0; chosen.length < 2_000; at += 1)
    if ((publicHash(`text ${at}`) & 0x3fff) < 32) chosen.push(`text ${at}`);
  expect(chosen.filter((text) => isSeen(text))).toEqual([]);
  expect(steps()).toBeLessThan(chosen.length * 10);
});

test('no row waits until a whole table has grown', () => {
  const { isSeen, steps } = openSeen();
  let most = 0;
  for (let at = 0; at < 100_000; at += 1) {
    const before = steps();
    isSeen(`text ${at}`);
    most = Math.max(most, steps() - before);
  }
  expect(most).toBeLessThan(1_000);
});
