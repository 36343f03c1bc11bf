import { expect, test, vi } from 'vitest';
import { openLoopDelay } from './loop-delay.ts';

const block = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until; );
};

test('a loop that is held up again and again is busy, and no longer when it is left alone', async () => {
  const loop = openLoopDelay({ boundMs: 50, windowMs: 100 });
  expect(loop.isBusy()).toBe(false);
  const work = setInterval(() => block(200), 1);
  await vi.waitFor(() => expect(loop.isBusy()).toBe(true), { timeout: 20_000, interval: 50 });
  expect(loop.seconds()).toBeGreaterThan(0.05);
  clearInterval(work);
  await vi.waitFor(() => expect(loop.isBusy()).toBe(false), { timeout: 20_000, interval: 50 });
  loop.close();
});
