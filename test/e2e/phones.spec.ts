import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../contract/constants.ts';
import { openPage } from './customers.ts';
import { expect, test, withSession } from './fixtures.ts';
import { expectFit } from './sound.ts';
import { texts } from './texts.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const PATH = '/dashboard/phone';
const row = (page: Page, name: string) => page.locator('tbody tr').filter({ hasText: name });

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language, colorScheme: language === 'zh_HK' ? 'dark' : 'light', expectedStatuses: [400] });
    const t = texts(language);

    test('the demo fleet is shown, searched and edited in place', async ({ page, program }) => {
      await withSession(page, program, program.admin);
      await openPage(page, PATH, t('phones.title'));
      await expect(page.locator('tbody tr')).toHaveCount(6);
      // The simulated phones are heard of within a moment of the start; one never is.
      const reload = page.getByRole('button', { name: t('phones.refresh'), exact: true });
      await expect(async () => {
        await reload.click();
        await expect(row(page, 'hk-01')).toContainText(`${t('phones.way.sms')} UP`, { timeout: 5_000 });
      }).toPass({ timeout: 60_000 });
      await expect(row(page, 'hk-04')).toContainText('DOWN');
      await expect(row(page, 'hk-02')).toContainText(t('phones.days', { days: 2 }));
      await expect(row(page, 'hk-03')).toContainText(t('phones.topup'));
      await expect(row(page, 'hk-06')).toContainText('RELEASED');
      await expectFit(page, 'phones');

      await page.getByRole('searchbox').fill('hk-05');
      await expect(page.locator('tbody tr')).toHaveCount(1);
      await expect(page).toHaveURL(/q=hk-05/);

      const field = (label: string) => t('phones.field_of', { field: t(label), phone: 'hk-05' });
      const cell = (label: string) => page.getByRole('button', { name: `${field(label)}:` });
      const type = async (label: string, text: string) => {
        await cell(label).click();
        await page.getByRole('textbox', { name: field(label), exact: true }).fill(text);
        await page.keyboard.press('Enter');
      };
      const remark = `shelf ${language}`;
      await cell('phones.remark').scrollIntoViewIfNeeded();
      await type('phones.remark', remark);
      await expect(page.getByText(t('phones.updated')).first()).toBeVisible();
      await expect(page.getByText(t('phones.loaded'), { exact: true }).first()).toBeVisible();
      await page.reload();
      await expect(cell('phones.remark')).toHaveText(remark);

      // What the server refuses is told, and the table has again what is stored.
      await type('phones.setting', 'nonsense');
      await expect(page.getByText(/setting .*JSON/)).toBeVisible();
      await expect(cell('phones.setting')).toContainText('idealVolume');
    });
  });
