import { expect, test } from 'vitest';
import { scaleOf } from './chart-scale.ts';

test('the scale ends at a round figure above the highest stack', () => {
  const scale = scaleOf([
    [100, 20, 3],
    [1, 0, 0],
  ]);
  expect(scale).toMatchObject({ top: 200, bottom: 0, zero: 0 });
  expect(scale.height(50)).toBe(25);
});

test('refunds that outweigh a day reach below zero', () => {
  const scale = scaleOf([[0.4, -0.1], [-0.15]]);
  expect(scale.top).toBeCloseTo(0.5);
  expect(scale.bottom).toBeCloseTo(-0.2);
  expect(scale.zero).toBeCloseTo((0.2 / 0.7) * 100);
});

test('a round figure itself is enough, and an empty month has a scale too', () => {
  expect(scaleOf([[0.2]]).top).toBeCloseTo(0.2);
  expect(scaleOf([[0, 0]])).toMatchObject({ top: 1, bottom: 0 });
});
