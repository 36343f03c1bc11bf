import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { newCustomer, openPage } from '../customer/customers.ts';
import { toast } from '../customer/payments-page.ts';
import { expect, test, withSession } from '../fixtures.ts';
import { expectFit } from '../sound.ts';
import { texts } from '../texts.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const rows = (page: Page) => page.locator('tbody tr');
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language, colorScheme: language === 'zh_HK' ? 'dark' : 'light' });
    const t = texts(language);

    test('an admin resolves messages that wait, all at once and singly, and they are refunded and charged again', async ({
      page,
      program,
    }) => {
      const customer = await newCustomer(page, program);
      const cardId = await customer.addCard('success-visa');
      await customer.call('POST /cards/:cardId/charge', { params: { cardId }, body: { amount: 10 } });
      const { balance: full } = await customer.call('GET /account/me/profile');
      for (const message of ['one', 'two', 'three'])
        await customer.call('POST /:channel/send', {
          params: { channel: 'sms' },
          body: { phone: '+85261112222', message, sendAt: tomorrow() },
        });
      const balance = async () => (await customer.call('GET /account/me/profile')).balance;
      const paid = await balance();
      expect(paid).toBeLessThan(full);

      await withSession(page, program, program.admin);
      const filters = encodeURIComponent(JSON.stringify({ accountId: customer.accountId }));
      await openPage(page, `/dashboard/messages?filters=${filters}`, t('route.messages'));
      await expect(rows(page)).toHaveCount(3);
      const bar = page.getByRole('region', { name: t('lists.selection') });
      const dialog = page.getByRole('dialog');
      const selectAll = async () => {
        await rows(page).getByRole('checkbox').first().check();
        await bar.getByRole('button', { name: t('lists.select_all'), exact: true }).click();
        await expect(bar).toContainText(t('lists.selected', { count: 3 }));
      };

      await selectAll();
      await expectFit(page, 'the bar of selected rows');
      await bar.getByRole('button', { name: t('bulk.failed'), exact: true }).click();
      await expect(dialog).toContainText(t('bulk.title.FAILED', { count: 3 }));
      await dialog.getByRole('button', { name: t('layout.cancel') }).click();
      await expect(dialog).toBeHidden();
      await bar.getByRole('button', { name: t('bulk.failed'), exact: true }).click();
      await dialog.getByRole('button', { name: t('bulk.confirm.FAILED') }).click();
      await expect(toast(page, t('bulk.updated', { count: 3 }))).toBeVisible();
      await expect(rows(page).getByText(t('messages.status.FAILED'), { exact: true })).toHaveCount(3);
      await expect(bar).toBeHidden();
      await expect.poll(balance).toBe(full);

      await selectAll();
      await bar.getByRole('button', { name: t('bulk.success'), exact: true }).click();
      await dialog.getByRole('button', { name: t('bulk.confirm.SUCCESS') }).click();
      await expect(rows(page).getByText(t('messages.status.SUCCESS'), { exact: true })).toHaveCount(3);
      await expect.poll(balance).toBe(paid);

      await rows(page).first().locator('time').first().click();
      await dialog.getByRole('button', { name: t('bulk.failed'), exact: true }).click();
      await page.getByRole('button', { name: t('bulk.confirm.FAILED') }).click();
      await expect(toast(page, t('bulk.ok'))).toBeVisible();
      await expect(dialog.getByText(t('details.step.charged-again'))).toBeVisible();
      await expect(rows(page).getByText(t('messages.status.FAILED'), { exact: true })).toHaveCount(1);
    });
  });
