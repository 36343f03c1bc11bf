import type { Locator, Page } from '@playwright/test';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { expect, test, withSession } from '../fixtures.ts';
import { expectFit, expectSound } from '../sound.ts';
import { texts } from '../texts.ts';
import { untilQueryServes } from './query-service.ts';

const MOST_TABS = 80;

/** By the Tab key alone, from the top of the page. */
const tabTo = async (page: Page, target: Locator): Promise<void> => {
  await expect(target).toBeVisible();
  // What is drawn again meanwhile is another element: then it is looked for once more.
  for (const _ of ['first', 'again']) {
    // Found by its role once, not at every stop: that takes longer than all the rest.
    const element = await target.elementHandle();
    const isFocused = () => element?.evaluate((one) => one === document.activeElement);
    if (await isFocused()) return;
    await page.evaluate(() => document.querySelector('a')?.focus());
    for (let count = 0; count < MOST_TABS; count += 1) {
      await page.keyboard.press('Tab');
      if (await isFocused()) return;
    }
  }
  throw new Error(`The Tab key does not reach ${target}.`);
};

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language });
    const t = texts(language);

    test('an admin asks, bookmarks, explains and finds a merchant by keyboard alone', async ({
      page,
      program,
    }) => {
      test.setTimeout(480_000);
      await untilQueryServes(program);
      await withSession(page, program, program.admin);
      await page.goto('/dashboard/profile');
      const entry = page.getByRole('navigation').getByRole('link', { name: t('qf.title') });
      await tabTo(page, entry);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL('/qf/query');
      const editor = page.getByRole('textbox', { name: t('qf.editor') });
      const result = page.getByRole('region', { name: t('qf.result'), exact: true });
      const write = async (sql: string) => {
        await tabTo(page, editor);
        await page.keyboard.press('Control+A');
        await page.keyboard.type(sql);
        await page.keyboard.press('Escape');
      };
      /** It has the focus once it is open, and gives it back. */
      const closePanel = async () => {
        const copy = page.getByRole('button', { name: t('qf.copy_row') });
        await expect(copy).toBeVisible();
        await expect(async () => {
          await page.keyboard.press('Escape');
          await expect(copy).toBeHidden({ timeout: 1_000 });
        }).toPass();
      };
      await expect(page.getByLabel(t('qf.database'), { exact: true })).toHaveValue('merchant_hk');

      await write('select id, name, monthly_volume from merchant order by id');
      await page.keyboard.press('Control+Enter');
      const status = result.getByRole('status');
      await expect(status).toContainText('320');
      await expect(result.getByRole('cell', { name: 'HK100001' })).toBeVisible();
      await expectFit(page, 'the result of a query');

      const row = result.getByRole('row').filter({ hasText: 'HK100001' });
      await tabTo(page, row);
      await page.keyboard.press('Enter');
      await closePanel();
      await tabTo(page, page.getByRole('button', { name: t('qf.as_chart') }));
      await page.keyboard.press('Enter');
      await expect(page.getByLabel(t('qf.chart_values'))).toBeVisible();

      await page.keyboard.press('Control+S');
      await expect(page.getByText(t('qf.bookmark_saved'))).toBeVisible();
      const kept = () => page.evaluate(() => JSON.parse(localStorage.getItem('bookmarks') ?? '[]'));
      await expect
        .poll(kept)
        .toMatchObject([{ query: expect.stringContaining('monthly_volume'), database: 'merchant_hk' }]);

      await write('select nothing_like_that from merchant');
      await page.keyboard.press('Control+Enter');
      await expect(result.getByRole('alert')).toContainText('nothing_like_that');
      await expect(editor.locator('[class*="fault"]')).toHaveText('nothing_like_that');
      await write('delete from merchant');
      await page.keyboard.press('Control+Enter');
      await expect(result.getByRole('alert')).toHaveText(t('query.refused.kind', { detail: 'Delete' }));

      await write('select * from merchant m join app a on a.merchant_id = m.id');
      await tabTo(page, page.getByRole('button', { name: t('qf.explain') }));
      await page.keyboard.press('Enter');
      await expect(result.getByText(t('qf.costliest'))).toBeVisible();
      await tabTo(page, page.getByRole('button', { name: t('qf.format'), exact: true }));
      await page.keyboard.press('Enter');
      await expect(editor.locator('.cm-line').nth(1)).toBeVisible();

      await page.keyboard.press('Control+R');
      await expect(page.getByRole('dialog')).toContainText(t('qf.refresh_sure'));
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();

      await tabTo(page, page.getByLabel(t('qf.merchant_term')));
      await page.keyboard.type('HK100001');
      await page.keyboard.press('Enter');
      const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3 }) });
      await expect(card).toHaveCount(1);
      await tabTo(page, card.getByRole('button', { name: t('qf.profiles', { count: 2 }) }));
      await page.keyboard.press('Enter');
      const profile = result.getByRole('row').filter({ hasText: 'P200001' });
      await tabTo(page, profile);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('definition').filter({ hasText: '••••••' })).toBeVisible();
      await closePanel();

      await tabTo(page, page.getByRole('button', { name: t('qf.bookmarks_delete') }));
      await page.keyboard.press('Enter');
      const sure = page.getByRole('dialog');
      await expect(sure).toContainText(t('qf.sure'));
      // The safe answer has the focus a moment after the dialog is there.
      await expect(sure.getByRole('button', { name: t('layout.cancel') })).toBeFocused();
      // Its list of places to stop is made a moment later: a Tab before that goes elsewhere.
      await expect(async () => {
        await page.keyboard.press('Tab');
        await expect(sure.getByRole('button', { name: t('qf.bookmarks_delete') })).toBeFocused({
          timeout: 1_000,
        });
      }).toPass();
      await page.keyboard.press('Enter');
      await expect(page.getByText(t('qf.bookmarks_deleted'))).toBeVisible();
      await expect.poll(kept).toEqual([]);
      await expectSound(page, 'the query tool');
    });
  });
