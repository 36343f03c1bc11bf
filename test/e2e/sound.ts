import type { Page } from '@playwright/test';
import { expect, expectAccessible } from './fixtures.ts';
import { inWideFont } from './fonts/fonts.ts';

/** 360 px is what common phones have, 1440 px a laptop. */
const WIDTHS = [360, 1440];
const SCHEMES = ['light', 'dark'] as const;

/** By how many pixels the page, or a dialog on it, is wider than its place. */
const sideways = (page: Page): Promise<number> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('[role="dialog"]')]
      .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      .reduce((widest, surplus) => Math.max(widest, surplus)),
  );

/** The sidebar slides away when the window becomes narrow, which takes a moment: hence the polling. */
const expectInPlace = (page: Page, where: string): Promise<void> =>
  expect.poll(() => sideways(page), { message: `${where}: nothing is scrolled sideways` }).toBe(0);

const resize = async (page: Page, where: string, width: number): Promise<void> => {
  await page.setViewportSize({ width, height: 900 });
  await expectInPlace(page, `${where} at ${width} px`);
};

/** Nothing has to be scrolled sideways, in an ordinary font and in a wide one. */
export const expectNoScroll = async (page: Page, where: string, width: number): Promise<void> => {
  await resize(page, where, width);
  await inWideFont(page, () => expectInPlace(page, `${where} at ${width} px in a wide font`));
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

/** Colours are the same in every language: what a test looks at in English too is not looked at in dark again. */
const isSeenInDark = (language: string | null): boolean => language?.startsWith('zh') === true;

/** In light and dark, narrow and wide: axe finds nothing, and nothing has to be scrolled sideways. */
export const expectSound = async (page: Page, where: string): Promise<void> => {
  const language = await page.locator('html').getAttribute('lang');
  for (const scheme of SCHEMES) {
    if (scheme === 'dark' && isSeenInDark(language)) continue;
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    for (const width of WIDTHS) {
      // Colours take no room, so the fonts are compared once.
      await (scheme === 'light' ? expectNoScroll : resize)(page, where, width);
      const rules = scheme === 'dark' ? COLOUR_RULES : undefined;
      await expectAccessible(page, `${where}, ${scheme}, ${width} px`, rules);
    }
  }
};
