import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { build, preview } from 'vite';
import config from '../../vite.config.ts';
import type { Bar } from '../definition.ts';
import { countFrames, openMeter, scroll } from '../load/frames.ts';

const STAGE = join(import.meta.dirname, '../../web/testing/list-stage');

const LISTS = [
  { name: 'rows', what: '2,000 rows', query: 'rows=2000&columns=8' },
  { name: 'columns', what: '2,000 rows of 40 columns', query: 'rows=2000&columns=40&boxed' },
  { name: 'sideways', what: '40 columns, sideways', query: 'rows=2000&columns=40&boxed', sideways: true },
];

/** Serves the list alone, built as the pages are. */
const openStage = async (folder: string) => {
  const { css } = await config({ command: 'serve', mode: 'production' });
  const built = { root: STAGE, configFile: false, logLevel: 'error', css } as const;
  await build({ ...built, build: { outDir: folder, reportCompressedSize: false } });
  return preview({ ...built, build: { outDir: folder }, preview: { host: '127.0.0.1', port: 0 } });
};

/** How smoothly long and wide lists scroll. What a still page shows at the same time tells how busy the machine is. */
export const measureLists = async (browser: Browser, quick: boolean) => {
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-list-stage-'));
  const stage = await openStage(folder);
  const rows: { what: string; figure: number }[] = [];
  const figures: Record<string, number> = {};
  const bars: Bar[] = [];
  try {
    for (const { name, what, query, sideways } of LISTS) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      await page.goto(`${stage.resolvedUrls?.local[0]}?${query}`);
      await page.locator('tbody[data-even] tr').nth(5).waitFor();
      await page.mouse.move(700, 500);
      const still = await countFrames(page, () => page.waitForTimeout(quick ? 100 : 2_000));
      const used = await openMeter(page);
      const before = await used();
      const steps = quick ? 10 : 150;
      const moving = await countFrames(page, () => scroll(page, { steps, turn: 15, sideways }));
      const work = ((await used()) - before) / steps;
      await page.close();
      rows.push({
        what: `frames in the slowest second of scrolling ${what} (still: ${still})`,
        figure: moving,
      });
      rows.push({ what: `the work of a step of 300 pixels, ${what} (ms of CPU)`, figure: work });
      figures[`${name}Frames`] = moving;
      if (!sideways) bars.push({ figure: `${name}Frames`, min: 55 });
    }
  } finally {
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  }
  return { rows, figures, bars };
};
