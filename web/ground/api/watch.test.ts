import { expect, test } from 'vitest';
import { type Watched, watch } from './watch.ts';

const look = (values: string[], looks: number, tookMs = 0) => {
  let watched: Watched<string> | undefined;
  return values.map((value) => {
    watched = watch(watched, value, { looks, tookMs });
    return watched.waitMs;
  });
};
const FOREVER = Number.POSITIVE_INFINITY;

test('it asks every second while things move, and less and less often while they do not', () => {
  expect(look(['a', 'b', 'b', 'b', 'c'], FOREVER)).toEqual([1_000, 1_000, 1_500, 2_250, 1_000]);
  expect(look(Array(20).fill('a'), FOREVER).at(-1)).toBe(10_000);
});

test('answers that take long are asked for less often', () => {
  expect(look(['a', 'b'], FOREVER, 700)).toEqual([3_500, 3_500]);
});

test('it ends after so many unchanged answers, or immediately', () => {
  expect(look(['a', 'a', 'a', 'a'], 2)).toEqual([1_000, 1_500, false, false]);
  expect(look(['a', 'a', 'b', 'b'], 2)).toEqual([1_000, 1_500, 1_000, 1_500]);
  expect(look(['a'], 0)).toEqual([false]);
});
