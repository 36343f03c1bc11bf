import { join } from 'node:path';
import type { Page } from '@playwright/test';

/** Read by the browser instead of the machine's own settings. Only Linux finds its fonts by fontconfig. */
export const FONTCONFIG_FILE = join(import.meta.dirname, 'fonts.conf');

/** The families that fonts.conf puts in the place of the generic ones, and the one that has Chinese. */
export const FONTS = {
  text: 'Arimo',
  headings: 'DejaVu Serif',
  code: 'DejaVu Sans Mono',
  chinese: 'Chocolate Classical Sans',
};

/** Wider than the fonts that the theme prefers, and all that a bare machine has. Headings are as wide anyway. */
export const WIDE_FONT = 'DejaVu Sans';

/** Verdana is as wide, and is there on systems without fontconfig. */
const WIDE_FAMILY = `"${WIDE_FONT}", Verdana, "${FONTS.chinese}"`;

/** An empty family removes the property, so that the theme's own applies again. */
const setFamily = (page: Page, family: string): Promise<void> =>
  page.evaluate(
    (value) => document.documentElement.style.setProperty('--mantine-font-family', value),
    family,
  );

/** Shows the page in the wide font while `look` looks at it. */
export const inWideFont = async (page: Page, look: () => Promise<void>): Promise<void> => {
  await setFamily(page, WIDE_FAMILY);
  try {
    await look();
  } finally {
    await setFamily(page, '');
  }
};
