import type { Page } from '@playwright/test';
import { expect, expectAccessible } from './fixtures.ts';

const WIDTHS = [390, 1440];
const SCHEMES = ['light', 'dark'] as const;

/** In light and dark, narrow and wide: axe finds nothing, and nothing has to be scrolled sideways. */
export const expectSound = async (page: Page, where: string): Promise<void> => {
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      // The sidebar slides away when the window becomes narrow, so the page may need a moment.
      await expect
        .poll(
          () =>
            page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
          { message: `${where} does not scroll sideways at ${width} px` },
        )
        .toBe(0);
      await expectAccessible(page, `${where}, ${scheme}, ${width} px`);
    }
  }
};
