import type { Page } from '@playwright/test';
import { expect, expectAccessible } from './fixtures.ts';

const WIDTHS = [390, 1440];
const SCHEMES = ['light', 'dark'] as const;

/** Nothing has to be scrolled sideways. The sidebar slides away when the window becomes narrow: that takes a moment. */
const expectNoScroll = async (page: Page, where: string, width: number): Promise<void> => {
  await page.setViewportSize({ width, height: 900 });
  await expect
    .poll(
      () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      { message: `${where} does not scroll sideways at ${width} px` },
    )
    .toBe(0);
};

/** Axe finds nothing, and nothing has to be scrolled sideways: once, where there is least room. */
export const expectFit = async (page: Page, where: string): Promise<void> => {
  const size = page.viewportSize();
  await expectNoScroll(page, where, Math.min(...WIDTHS));
  await expectAccessible(page, where);
  if (size) await page.setViewportSize(size);
};

/** All that dark changes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** In light and dark, narrow and wide: axe finds nothing, and nothing has to be scrolled sideways. */
export const expectSound = async (page: Page, where: string): Promise<void> => {
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    for (const width of WIDTHS) {
      await expectNoScroll(page, where, width);
      const rules = scheme === 'dark' ? COLOUR_RULES : undefined;
      await expectAccessible(page, `${where}, ${scheme}, ${width} px`, rules);
    }
  }
};
