import { expect, test } from 'vitest';
import { RETRY_TIMING, retryDelayMs, retryPauseMs } from './retry-policy.ts';

const HOUR = 3_600_000;

test('retries grow three-fold to twelve hours, the last is after two days, and then it is parked', () => {
  const tries: number[] = [];
  for (let ageMs = 0; ; ) {
    const delayMs = retryDelayMs({ attempts: tries.length, ageMs, retryAfterMs: 0 }, RETRY_TIMING);
    if (delayMs === undefined) break;
    ageMs += delayMs;
    tries.push(ageMs);
    expect(tries.length).toBeLessThan(20);
  }
  expect(tries.length).toBeGreaterThanOrEqual(11);
  expect(tries[0]).toBeLessThanOrEqual(6_000);
  expect(tries.at(-1)).toBe(48 * HOUR);
  const gaps = tries.map((at, index) => at - (tries[index - 1] ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(12 * HOUR * 1.2);
  for (const [index, gap] of gaps.slice(0, 8).entries()) {
    const plain = 5_000 * 3 ** index;
    expect(gap).toBeGreaterThanOrEqual(plain * 0.8);
    expect(gap).toBeLessThanOrEqual(plain * 1.2);
  }
});

test('a receiver that asks for more time gets it', () => {
  expect(retryDelayMs({ attempts: 0, ageMs: 0, retryAfterMs: HOUR }, RETRY_TIMING)).toBe(HOUR);
});

test('an endpoint is left alone after four failures in a row, for five minutes at most', () => {
  expect(retryPauseMs(3, RETRY_TIMING)).toBe(0);
  expect(retryPauseMs(4, RETRY_TIMING)).toBeGreaterThanOrEqual(800);
  expect(retryPauseMs(4, RETRY_TIMING)).toBeLessThanOrEqual(1_200);
  expect(retryPauseMs(1_000, RETRY_TIMING)).toBeLessThanOrEqual(360_000);
});
