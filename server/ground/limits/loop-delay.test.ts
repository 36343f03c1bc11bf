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

test('a single pause, however long, does not make it busy', async () => {
  const loop = openLoopDelay();
  const seen: boolean[] = [];
  block(1_500);
  const watch = setInterval(() => seen.push(loop.isBusy()), 20);
  await vi.waitFor(() => expect(seen.length).toBeGreaterThan(60), { timeout: 20_000 });
  clearInterval(watch);
  loop.close();
  expect(seen).not.toContain(true);
});
