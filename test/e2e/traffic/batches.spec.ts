import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { newCustomer, openPage } from '../customer/customers.ts';
import { expect, expectAccessible, test } from '../fixtures.ts';
import { expectFit } from '../sound.ts';
import { texts } from '../texts.ts';

// 409: what failed was sent again already.
test.use({ viewport: { width: 1440, height: 900 }, expectedStatuses: [409] });

const FILE = ['phone,message', '61112222,hello', '61110001,refused', '61110004,failed'].join('\n');

const downloaded = async (page: Page, start: () => Promise<void>): Promise<string> => {
  const downloading = page.waitForEvent('download');
  await start();
  return readFile(await (await downloading).path(), 'utf8');
};
const figure = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${RegExp.escape(name)}$`) }) })
    .locator('dd');

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language, colorScheme: language === 'zh_HK' ? 'dark' : 'light' });
    const t = texts(language);
    const button = (page: Page, label: string) => page.getByRole('button', { name: t(label), exact: true });

    test('a file has a page with every result, and what failed is sent again with its price first', async ({
      page,
      program,
    }) => {
      const customer = await newCustomer(page, program);
      const cardId = await customer.addCard('success-visa');
      await customer.call('POST /cards/:cardId/charge', { params: { cardId }, body: { amount: 20 } });
      await openPage(page, '/dashboard/messages/batches', t('batches.title'));
      await expect(page.getByText(t('batches.none'))).toBeVisible();
      await page.getByRole('link', { name: t('batches.send_file') }).click();
      await page.getByRole('radio', { name: t('send.to_csv') }).check();
      await page
        .getByLabel(t('send.csv.file'), { exact: true })
        .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) });
      await page.locator('form button[type="submit"]').click();
      await page
        .locator('section')
        .getByRole('button')
        .filter({ hasText: t('send.check.send') })
        .click();
      await page.getByRole('link', { name: t('send.batch.result') }).click();

      await expect(figure(page, t('batches.failed'))).toHaveText('2', { timeout: 60_000 });
      await expect(figure(page, t('batches.sent'))).toHaveText('1');
      await expect(figure(page, t('batches.sent_by'))).toHaveText(t('batches.by_page'));
      await expect(figure(page, t('batches.cost'))).toContainText('0.032051');
      const rows = page.locator('tbody tr');
      await expect(rows).toHaveCount(3);
      await expect(rows.filter({ hasText: '61110001' })).toContainText(t('message.reason.SIM_REFUSED'));
      await expectFit(page, 'the page of a file');
      await expectAccessible(page, 'batches');
      const results = await downloaded(page, () => button(page, 'send.export').click());
      expect(results.trim().split('\r\n')).toHaveLength(4);
      const failed = await downloaded(page, () => button(page, 'batches.download_failed').click());
      expect(failed.trim().split('\r\n')).toHaveLength(3);
      expect(failed).toContain('61110004,failed,');

      // Each figure opens what it counts, and a message leads back to its file.
      await figure(page, t('batches.failed')).getByRole('link').click();
      await expect(page.locator('tbody tr')).toHaveCount(2);
      await expect(page).toHaveURL(/batchId/);
      await page.locator('tbody tr').first().locator('a[href*="/details/"]').first().click();
      await page
        .getByRole('region', { name: t('details.facts') })
        .getByRole('link')
        .click();
      await expect(page.getByRole('heading', { name: 'people.csv' })).toBeVisible();

      // The price comes first.
      await button(page, 'batches.resend').click();
      await expect(page.getByText(t('send.check.nothing_sent'))).toBeVisible();
      await expect(
        page
          .getByRole('region', { name: t('send.check'), exact: true })
          .getByText('0.064102', { exact: true }),
      ).toBeVisible();
      await page
        .locator('section')
        .getByRole('button')
        .filter({ hasText: t('send.check.send') })
        .click();
      await expect(page).toHaveURL(/[?&]batch=/);
      await openPage(page, '/dashboard/messages/batches', t('batches.title'));
      await expect(page.locator('tbody tr')).toHaveCount(2);
      await expect(page.locator('tbody tr').first()).toContainText(
        t('upload.resend_name', { name: 'people.csv' }),
      );
      await expectFit(page, 'the list of files');
      await expectAccessible(page, 'batches');
      // A row opens beside the list, with what can be done.
      await page.locator('tbody tr').nth(1).locator('td').nth(2).click();
      const beside = page.getByRole('dialog', { name: 'people.csv' });
      await beside.getByRole('button', { name: t('batches.resend') }).click();
      await expect(page.locator('.mantine-Notification-root')).toContainText(t('error.E_NONE_FAILED'));
    });

    test('a message that is cancelled is so in its conversation too', async ({ page, program }) => {
      const customer = await newCustomer(page, program);
      const cardId = await customer.addCard('success-visa');
      await customer.call('POST /cards/:cardId/charge', { params: { cardId }, body: { amount: 20 } });
      const { _id } = await customer.call('POST /:channel/send', {
        params: { channel: 'sms' },
        body: { phone: '+85261112222', message: 'later', sendAt: '2027-01-01T10:00' },
      });
      await openPage(page, `/dashboard/messages/details/${_id}`, t('details.title'));
      const bubble = page.getByRole('region', { name: t('details.conversation') }).getByRole('listitem');
      await expect(bubble).toContainText(t('messages.status.PENDING'));
      await button(page, 'send.cancel.message').click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('send.cancel.confirm') })
        .click();
      await expect(page.getByText(t('send.cancel.done', { refund: '0.032051' }))).toBeVisible();
      // Sooner than the conversation looks by itself.
      await expect(bubble).toContainText(t('messages.status.CANCELLED'), { timeout: 3_000 });
    });
  });
