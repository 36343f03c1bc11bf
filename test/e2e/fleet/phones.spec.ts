import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { asAdmin, openPage } from '../customer/customers.ts';
import { expectToast } from '../expect-toast.ts';
import { expect, test, withSession } from '../fixtures.ts';
import { expectFit } from '../sound.ts';
import { texts } from '../texts.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const PATH = '/dashboard/phone';
/** The demo's phones: other tests add their own, and no phone is ever removed. */
const FLEET = /hk-0\d/;
const row = (page: Page, name: string | RegExp) => page.locator('tbody tr').filter({ hasText: name });

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({
      language,
      colorScheme: language === 'zh_HK' ? 'dark' : 'light',
      expectedStatuses: [400, 409],
    });
    const t = texts(language);

    test('the demo fleet is shown, searched and edited in place', async ({ page, program }) => {
      await withSession(page, program, program.admin);
      await openPage(page, PATH, t('phones.title'));
      await expect(row(page, FLEET)).toHaveCount(6);
      // The simulated phones are heard of within a moment of the start; one never is.
      const reload = page.getByRole('button', { name: t('phones.refresh'), exact: true });
      await expect(async () => {
        await reload.click();
        await expect(row(page, 'hk-01')).toContainText(`${t('phones.way.sms')} ${t('lane.up')}`, {
          timeout: 5_000,
        });
      }).toPass({ timeout: 60_000 });
      await expect(row(page, 'hk-04')).toContainText(t('lane.down'));
      await expect(row(page, 'hk-02')).toContainText(t('layout.days', { days: 2 }));
      await expect(row(page, 'hk-03')).toContainText(t('phones.topup'));
      await expect(row(page, 'hk-06')).toContainText(t('phones.released'));
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
      await expect(page.getByText(t('phones.loaded'), { exact: true }).first()).toBeVisible();
      await page.reload();
      await expect(cell('phones.remark')).toHaveText(remark);

      // What the server refuses is told by a toast and at the field, where it can be mended; given up, the table has
      // again what is stored.
      await type('phones.setting', 'nonsense');
      await expect(page.getByText(new RegExp(`${t('phones.setting')}.*JSON`))).toHaveCount(2);
      await cell('phones.setting').click();
      await page.getByRole('textbox', { name: field('phones.setting'), exact: true }).press('Escape');
      await expect(cell('phones.setting')).toContainText('idealVolume');
    });

    test('a phone is added by its name, which no other has, and given back', async ({ page, program }) => {
      const name = `shelf-${randomBytes(4).toString('hex')}`;
      const phoneNumber = '+85261230000';
      const call = await asAdmin(page, program);
      /** Among those in use. */
      const stored = async () =>
        (await call('GET /phoneNumberInventory')).phoneNumberInventory.find((phone) => phone.name === name);
      await openPage(page, `${PATH}?q=${name}`, t('phones.title'));
      await expect(page.getByText(t('lists.none_fit'))).toBeVisible();
      const open = page.getByRole('button', { name: t('phones.add_button'), exact: true });
      const adding = page.getByRole('dialog', { name: t('phones.add'), exact: true });
      const field = (label: string) => adding.getByLabel(t(label), { exact: true });
      const add = adding.getByRole('button', { name: t('phones.add_button'), exact: true });
      await open.click();
      await add.click();
      await expect(adding.getByText(t('phones.name_missing'))).toBeVisible();
      await field('phones.name').fill('hk-01');
      await add.click();
      await expect(adding.getByText(t('error.E_PHONE_EXISTS', { name: 'hk-01' }))).toBeVisible();
      await field('phones.name').fill(name);
      await adding.getByRole('button', { name: t('layout.cancel'), exact: true }).click();
      await expect(adding).toBeHidden();
      expect(await stored()).toBeUndefined();

      await open.click();
      await field('phones.name').fill(name);
      await field('phones.number').fill(phoneNumber);
      await add.click();
      await expectToast(page, t, t('phones.added', { phone: name }));
      await expect(adding).toBeHidden();
      await expect(row(page, name)).toContainText(phoneNumber);
      await expect(row(page, name)).not.toContainText(t('phones.released'));
      expect(await stored()).toMatchObject({ phoneNumber, remark: '', smsActive: false });

      const remark = t('phones.field_of', { field: t('phones.remark'), phone: name });
      await page.getByRole('button', { name: `${remark}:` }).click();
      await page.getByRole('textbox', { name: remark, exact: true }).fill(`RELEASED ${language}`);
      await page.keyboard.press('Enter');
      await expectToast(page, t, t('phones.loaded'));
      await page.reload();
      await expect(row(page, name)).toContainText(`RELEASED ${language}`);
      expect(await stored()).toBeUndefined();
    });
  });
