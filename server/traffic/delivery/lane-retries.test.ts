import { expect, it } from 'vitest';
import { retryMs } from './lane-retries.ts';

const TIMING = { firstRetryMs: 500, longestRetryMs: 60_000 };

it.each([
  ['the first failure', 1, 0.5, 500],
  ['the second one doubles it', 2, 0.5, 1_000],
  ['it is spread downwards', 2, 0, 750],
  ['and upwards', 2, 1, 1_250],
  ['it has a limit', 8, 0.5, 60_000],
  ['also after days', 100_000, 0.5, 60_000],
])('%s', (_, count, random, ms) => {
  expect(retryMs(count, TIMING, random)).toBe(ms);
});
