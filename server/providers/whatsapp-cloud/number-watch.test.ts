import { expect, test } from 'vitest';
import { waitMs } from './number-watch.ts';

const PACE = { probeMs: 60_000, retry: { firstMs: 1_000, maxMs: 60_000 } };

test.each([
  [{ up: true, troubles: 9 }, 60_000],
  [{ up: false, troubles: 1 }, 1_000],
  [{ up: false, troubles: 2 }, 2_000],
  [{ up: false, troubles: 6 }, 32_000],
  [{ up: false, troubles: 7 }, 60_000],
  [{ up: false, troubles: 10_000 }, 60_000],
])('a number that is %o is asked again after %i milliseconds', (state, expected) => {
  expect(waitMs(PACE, state)).toBe(expected);
});
