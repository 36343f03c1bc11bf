import { expect, test } from 'vitest';
import { openSeen } from './seen.ts';

test('each text is new once, also beyond the first size', () => {
  const seen = openSeen();
  const texts = Array.from({ length: 50_000 }, (_, at) => `text ${at}`);
  expect(texts.filter((text) => seen(text))).toEqual([]);
  expect(texts.every((text) => seen(text))).toBe(true);
});
