import type { Page } from '@playwright/test';

declare const window: { frameTimes: number[] | undefined };
declare const requestAnimationFrame: (act: (now: number) => void) => void;

export const SECOND_MS = 1_000;

/** The fewest frames in any whole second. */
const worstRate = (frames: number[]): number => {
  const last = frames.at(-1) ?? 0;
  const rates = frames
    .filter((from) => from + SECOND_MS <= last)
    .map((from) => frames.filter((at) => at > from && at <= from + SECOND_MS).length);
  return rates.length > 0 ? Math.min(...rates) : 0;
};

/** Counts the frames while something is done, and tells the fewest in any whole second. */
export const countFrames = async (page: Page, act: () => Promise<void>): Promise<number> => {
  await page.evaluate(() => {
    const frames: number[] = [];
    window.frameTimes = frames;
    const note = (now: number) => {
      if (window.frameTimes !== frames) return;
      frames.push(now);
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  await act();
  const frames = await page.evaluate(() => {
    const counted = window.frameTimes ?? [];
    window.frameTimes = undefined;
    return counted;
  });
  return worstRate(frames);
};

/** The processor time of the page's main thread so far: unlike the clock, it does not depend on what else runs. */
export const openMeter = async (page: Page) => {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * SECOND_MS;
  };
};

interface Scrolling {
  steps: number;
  /** After so many steps it goes the other way. */
  turn: number;
  sideways?: boolean;
}

/** Turns the wheel as fast as a hand does. */
export const scroll = async (page: Page, { steps, turn, sideways }: Scrolling): Promise<void> => {
  for (let step = 0; step < steps; step += 1) {
    const by = step % (2 * turn) < turn ? 300 : -300;
    await page.mouse.wheel(sideways ? by : 0, sideways ? 0 : by);
    await page.waitForTimeout(40);
  }
};
