import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { newCustomer, openPage } from '../customer/customers.ts';
import { expect, expectAccessible, test } from '../fixtures.ts';
import { expectFit } from '../sound.ts';
import { texts } from '../texts.ts';

type Program = Parameters<typeof newCustomer>[1];

/** Sends two messages by SMS and one email. */
const busyCustomer = async (page: Page, program: Program) => {
  const customer = await newCustomer(page, program);
  const cardId = await customer.addCard('success-visa');
  await customer.call('POST /cards/:cardId/charge', { params: { cardId }, body: { amount: 10 } });
  const body = { phone: '61112222', message: 'hello' };
  await customer.call('POST /:channel/send', { params: { channel: 'sms' }, body });
  await customer.call('POST /:channel/send', { params: { channel: 'sms' }, body });
  await customer.call('POST /:channel/send', {
    params: { channel: 'email' },
    body: { phone: 'someone@example.com', subject: 'Hi', message: 'hello' },
  });
  return customer;
};

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language });
    const t = texts(language);

    test('the bill has its panels, its days, its total and its statement', async ({ page, program }) => {
      const { call, accountId } = await busyCustomer(page, program);
      await openPage(page, '/dashboard/billing', t('billing.title'));
      await expect(page.getByRole('region', { name: /2\d{3}/ })).toContainText(/USD\s*0\.07/);
      const sms = page.getByRole('region', { name: t('billing.channel.sms'), exact: true });
      const row = sms.locator('tbody').getByRole('row');
      await expect(row).toHaveCount(1);
      await expect(row).toContainText('0.032051');
      // Rounded so that all rows add up to the total; exactly it is less.
      await expect(row).toContainText('0.07');
      await expect(row.getByTitle('USD 0.064102')).toBeVisible();
      await expect(page.getByRole('region', { name: 'WhatsApp', exact: true })).toContainText(
        t('billing.nothing'),
      );
      // By keyboard the chart says what the table says.
      const chart = page.getByRole('group', { name: /2\d{3}/ });
      await chart.getByRole('button').first().focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Home');
      for (let day = 1; day < 31; day++) {
        if (/ 2[,、]/.test((await page.locator(':focus').getAttribute('aria-label')) ?? '')) break;
        await page.keyboard.press('ArrowRight');
      }
      await expect(page.locator(':focus')).toHaveAccessibleName(new RegExp(`${t('billing.channel.sms')} 2`));
      await page.getByText(t('billing.as_table')).first().click();
      await expect(page.locator('details').locator('tbody').getByRole('row')).toHaveCount(1);
      await expectAccessible(page, 'the bill');
      await expectFit(page, 'the bill');

      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: t('billing.statement') }).click();
      const file = await downloading;
      expect(file.suggestedFilename()).toMatch(/^posthorn-statement-2\d{3}-\d\d\.pdf$/);
      expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');

      await openPage(page, '/dashboard/profile', t('profile.title'));
      await expect(page.locator('[data-figure="spent"]')).toContainText('0.07');
      const glance = () => call('GET /account/:accountId/glance', { params: { accountId } });
      await expect.poll(async () => (await glance()).sent, { timeout: 60_000 }).toBe(3);
      await page.reload();
      const delivered = t('glance.delivered', { count: 7 }).replace('7', '\\d');
      await expect(page.locator('[data-figure="sent"] dd')).toHaveText(new RegExp(`^3${delivered}$`));
      await expectFit(page, 'the profile with its glance');
    });
  });

test.describe('without luck', () => {
  test.use({ expectedStatuses: [500] });

  test('a bill that cannot be loaded is said in a toast, and can be tried again', async ({
    page,
    program,
  }) => {
    await newCustomer(page, program);
    const message = 'The books are being counted.';
    await page.route('**/api/account/*/billing?*', (route) =>
      route.fulfill({ status: 500, json: { code: 'E_INTERNAL', message } }),
    );
    await page.route('**/api/account/*/billing', (route) =>
      route.fulfill({ status: 500, json: { code: 'E_INTERNAL', message } }),
    );
    await openPage(page, '/dashboard/billing', 'Billing');
    await expect(page.getByRole('alert').filter({ hasText: message }).first()).toBeVisible();
    await expect(page.locator('.mantine-Notification-root')).toContainText(message);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('region', { name: /^Total for/ })).toContainText(/USD\s*0\.00/);
    await expect(page.getByText('Nothing was sent in this month.')).toHaveCount(4);
    await expectAccessible(page, 'an empty bill');
  });
});
