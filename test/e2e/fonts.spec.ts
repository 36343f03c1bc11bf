import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../contract/ground/constants.ts';
import { expect, test } from './fixtures.ts';
import { FONTS, inWideFont, WIDE_FONT } from './fonts/fonts.ts';

/** Some faces have their weight in the family's name. */
const WEIGHT = / (Medium|SemiBold)$/;

/** The families of the fonts that the browser has really drawn the page's text with. */
const drawnFamilies = async (page: Page): Promise<string[]> => {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: 'body *' });
  const drawn = await Promise.all(
    nodeIds.map((nodeId) => session.send('CSS.getPlatformFontsForNode', { nodeId })),
  );
  await session.detach();
  const names = drawn.flatMap(({ fonts }) => fonts.map(({ familyName }) => familyName));
  return [...new Set(names.map((name) => name.replace(WEIGHT, '')))].sort();
};

/** What is drawn again meanwhile has no fonts, or is gone. */
const expectFamilies = (page: Page, families: string[]): Promise<void> =>
  expect(async () => expect(await drawnFamilies(page)).toEqual(families.sort())).toPass({ timeout: 20_000 });

test.describe('the fonts are those of the project, not those of the machine', () => {
  test.skip(process.platform !== 'linux', 'Only Linux finds its fonts by fontconfig.');

  for (const language of LANGUAGES)
    test.describe(language, () => {
      test.use({ language });

      test('in the ordinary run, and in the wide font of the layout checks', async ({ page }) => {
        await page.goto('/');
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        const chinese = language === 'zh_HK' ? [FONTS.chinese] : [];
        const { text, headings, code } = FONTS;
        await expectFamilies(page, [text, headings, code, ...chinese]);
        await inWideFont(page, () => expectFamilies(page, [WIDE_FONT, headings, code, ...chinese]));
        await expectFamilies(page, [text, headings, code, ...chinese]);
      });
    });
});

test('the wide font makes the same text wider', async ({ page }) => {
  await page.goto('/login');
  const link = page.getByRole('main').getByRole('link').first();
  const widthOf = () =>
    link.evaluate((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return range.getBoundingClientRect().width;
    });
  await expect(link).toBeVisible();
  const ordinary = await widthOf();
  await inWideFont(page, async () => expect(await widthOf()).toBeGreaterThan(ordinary * 1.1));
});
