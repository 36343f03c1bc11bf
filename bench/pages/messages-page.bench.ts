import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { findBrowser } from '../../checks/browser.ts';
import { startProgram } from '../../test/program.ts';
import type { Definition } from '../definition.ts';
import { countFrames, openMeter, SECOND_MS, scroll } from '../load/frames.ts';
import { signIn } from '../load/sign-in.ts';
import { measureLists } from './list-scrolling.ts';

declare const window: { watch: { arrivedAt: number; shownAt: number } };

/** Runs in the page: records when an answer has arrived and when it is on screen. */
const watchPage = (page: Page) =>
  page.addInitScript(`
    const watch = (window.watch = { arrivedAt: 0, shownAt: 0 });
    const fetched = window.fetch;
    window.fetch = async (...given) => {
      const response = await fetched(...given);
      if (!String(given[0]).includes('/messages?')) return response;
      const content = await response.blob();
      watch.arrivedAt = performance.now();
      return new Response(content, response);
    };
    // What the page has already is only read again, and may stay as it is: so each frame is looked at.
    const look = () => {
      if (watch.arrivedAt === 0 || watch.shownAt !== 0) return;
      if (!document.querySelector('search [role=status]')?.textContent.startsWith('Showing')) return;
      // The second frame begins when the first has been drawn.
      watch.shownAt = -1;
      requestAnimationFrame(() => requestAnimationFrame(() => (watch.shownAt = performance.now())));
    };
    const frame = () => {
      look();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  `);

/** From the last byte of the answer to the frame that shows it. */
const timeSearch = async (page: Page, act: () => Promise<void>): Promise<number> => {
  await page.evaluate(() => Object.assign(window.watch, { arrivedAt: 0, shownAt: 0 }));
  await act();
  await page.waitForFunction(() => window.watch.shownAt > 0);
  return page.evaluate(() => window.watch.shownAt - window.watch.arrivedAt);
};

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const TEXT = 'your parcel is out for delivery today';

const measure = async (page: Page, url: string, { rounds, stillMs }: { rounds: number; stillMs: number }) => {
  await page.goto(`${url}/dashboard/messages`);
  const rows = page.locator('tbody tr');
  await rows.nth(49).waitFor();
  const status = page.getByLabel('Status', { exact: true });
  const search = page.getByRole('button', { name: 'Search', exact: true });
  const filters = page.getByRole('button', { name: 'Filters', exact: true });
  const used = await openMeter(page);
  const shown: number[] = [];
  const work: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const value of ['SUCCESS', '']) {
      await filters.click();
      await status.selectOption(value);
      const before = await used();
      shown.push(await timeSearch(page, () => search.click()));
      work.push((await used()) - before);
    }
  const still = await countFrames(page, () => page.waitForTimeout(stillMs));
  const scrolling = await countFrames(page, () => scroll(page, { steps: rounds * 12, turn: 12 }));
  await filters.click();
  const contains = page.getByLabel('Message contains');
  const typing = await countFrames(page, async () => {
    for (let n = 0; n < Math.ceil(rounds / 3); n += 1) {
      await contains.fill('');
      await contains.pressSequentially(TEXT, { delay: 40 });
    }
  });
  return { shown, work, still, scrolling, typing };
};

/**
 * The Messages page in a real browser with fifty rows: how soon an answer is on screen, and how smooth the page stays.
 * Then the list that it uses, with thousands of rows and with dozens of columns.
 */
const definition: Definition = {
  title: 'The Messages page',
  run: async ({ quick }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-messages-page-'));
    const program = await startProgram({ dataDir, env: { LIMITS_FACTOR: '1000' } });
    const browser = await chromium.launch({
      executablePath: await findBrowser(() => {}),
      args: ['--no-sandbox'],
    });
    try {
      const { customer } = JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8'));
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      await watchPage(page);
      const session = await signIn(program.url, customer);
      await page.addInitScript((given) => {
        for (const [key, value] of Object.entries(given)) localStorage.setItem(key, value);
      }, session);
      const sizes = quick ? { rounds: 1, stillMs: 100 } : { rounds: 15, stillMs: 3 * SECOND_MS };
      const { shown, work, still, scrolling, typing } = await measure(page, program.url, sizes);
      const slowest = Math.max(...shown);
      const lists = await measureLists(browser, quick);
      return {
        rows: [
          {
            what: `an answer's arrival until it is on screen, the slowest of ${shown.length} (ms)`,
            figure: slowest,
          },
          { what: 'the same, median (ms)', figure: median(shown) },
          { what: "a search's work in the page's main thread, median (ms of CPU)", figure: median(work) },
          { what: 'frames in the slowest second of a still page, to compare', figure: still },
          { what: 'frames in the slowest second of scrolling', figure: scrolling },
          { what: 'frames in the slowest second of typing', figure: typing },
          ...lists.rows,
        ],
        figures: {
          onScreenMs: slowest,
          onScreenMedianMs: median(shown),
          workMs: median(work),
          stillFrames: still,
          scrollingFrames: scrolling,
          typingFrames: typing,
          ...lists.figures,
        },
        bars: [
          { figure: 'onScreenMs', max: 150 },
          { figure: 'scrollingFrames', min: 50 },
          { figure: 'typingFrames', min: 50 },
          ...lists.bars,
        ],
      };
    } finally {
      await browser.close();
      await program.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
export default definition;
