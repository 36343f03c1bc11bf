import { expect, test } from 'vitest';
import { openRate } from './rate.ts';

test('a refusal halves it once a burst, and it comes back step by step, never beyond its limit', async () => {
  let now = 0;
  const rate = openRate(80, () => now);
  rate.slowDown();
  rate.slowDown();
  expect(rate.perSecond()).toBe(40);
  now = 1_500;
  rate.slowDown();
  expect(rate.perSecond()).toBe(20);
  for (let second = 0; second < 30; second += 1) {
    now += 1_001;
    expect(await rate.turn()).toBe(true);
  }
  expect(rate.perSecond()).toBe(80);
});

test('there is room for what has its turn within a second, and after that as soon as one has', async () => {
  let now = 0;
  const rate = openRate(10, () => now);
  expect([rate.room(), rate.fullMs()]).toEqual([10, 0]);
  for (let at = 0; at < 10; at += 1) void rate.turn();
  expect([rate.room(), rate.fullMs()]).toEqual([0, 100]);
  now = 100;
  expect([rate.room(), rate.fullMs()]).toEqual([1, 0]);
  rate.slowDown();
  expect(rate.room()).toBe(0);
  rate.close();
});

test('it never stops altogether', () => {
  let now = 0;
  const rate = openRate(80, () => now);
  for (let second = 0; second < 20; second += 1) {
    now += 1_001;
    rate.slowDown();
  }
  expect(rate.perSecond()).toBe(1);
});

test('who waits when it closes is told that its turn never came', async () => {
  const rate = openRate(1);
  expect(await rate.turn()).toBe(true);
  const waiting = rate.turn();
  rate.close();
  expect(await waiting).toBe(false);
});
