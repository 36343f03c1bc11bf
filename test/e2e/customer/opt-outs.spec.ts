import { randomBytes, randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { makeUnsubscribeToken } from '../../../server/customer/opt-outs/index.ts';
import { expect } from '../fixtures.ts';
import { expectSound } from '../sound.ts';
import { texts } from '../texts.ts';
import { inboundUrl, removeRealLane, TWILIO_NUMBER, TWILIO_SID, test } from '../traffic/real-lane.ts';
import { asAdmin, newCustomer, openPage } from './customers.ts';

const toast = (page: Page, text: string) => page.locator('.mantine-Notification-root', { hasText: text });
const file = (content: string) => ({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language, expectedStatuses: [400] });
    const t = texts(language);
    const rows = (page: Page) => page.locator('tbody tr');
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

    test('somebody is opted out by hand, can’t be written to, and is let in again', async ({
      page,
      program,
    }) => {
      await newCustomer(page, program);
      await openPage(page, '/dashboard/messages/send', t('send.title'));
      await page.getByRole('link', { name: t('opt_outs.title') }).click();
      await expect(page).toHaveURL('/dashboard/messages/opt-outs');
      await expect(page.getByText(t('opt_outs.none'))).toBeVisible();

      await button(page, t('opt_outs.add')).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: t('opt_outs.add') }).click();
      await expect(dialog.getByRole('alert')).toHaveText(t('send.phone_missing'));
      await dialog.getByLabel(t('send.phone')).fill('12');
      await dialog.getByRole('button', { name: t('opt_outs.add') }).click();
      await expect(dialog.getByRole('alert')).toContainText('12');
      await dialog.getByLabel(t('send.phone')).fill('6111 2222');
      await dialog.getByLabel(t('opt_outs.note')).fill('asked by phone');
      await dialog.getByRole('button', { name: t('opt_outs.add') }).click();
      await expect(toast(page, t('opt_out.added', { recipient: '+85261112222' }))).toBeVisible();
      await expect(rows(page)).toHaveCount(1);
      await expect(rows(page)).toContainText(t('opt_outs.source.MANUAL'));
      await expectSound(page, 'the list');

      await page.goto('/dashboard/messages/send?phone=%2B85261112222&channel=sms');
      await page.getByLabel(t('send.message'), { exact: true }).fill('Hello');
      await button(page, t('send.button')).click();
      await expect(page.getByRole('form').getByRole('alert')).toHaveText(t('error.E_OPTED_OUT'));

      await page.goto('/dashboard/messages/opt-outs');
      await button(page, t('opt_outs.remove', { recipient: '+85261112222' })).click();
      await expect(page.getByText(t('opt_outs.remove_text', { recipient: '+85261112222' }))).toBeVisible();
      await button(page, t('opt_outs.remove_button')).click();
      await expect(page.getByText(t('opt_outs.none'))).toBeVisible();
    });

    test('a list is imported with its faults told, searched and exported', async ({ page, program }) => {
      await newCustomer(page, program);
      await openPage(page, '/dashboard/messages/opt-outs', t('opt_outs.title'));
      await button(page, t('lists.import')).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: t('lists.import_button'), exact: true }).click();
      await expect(dialog.getByRole('alert')).toHaveText(t('lists.file_missing'));
      const people = ['6111 2222,sms', 'ann@example.com,', '12,', '6111 3333,fax'];
      await dialog.locator('input[type=file]').setInputFiles(file(['phone,channel', ...people].join('\n')));
      await dialog.getByRole('button', { name: t('lists.import_button'), exact: true }).click();
      await expect(dialog).toContainText(t('import.done', { added: 2, known: 0, refused: 2 }));
      await expect(dialog).toContainText(t('lists.place', { row: 5, column: 'channel' }));
      await expectSound(page, 'what became of the file');
      await dialog
        .getByRole('button', { name: t('layout.close') })
        .last()
        .click();
      await expect(rows(page)).toHaveCount(2);
      await expect(page.getByText(t('lists.found', { count: 2 }))).toBeVisible();
      await page.getByLabel(t('lists.search'), { exact: true }).fill('ann');
      await expect(rows(page)).toHaveCount(1);
      await expect(rows(page)).toContainText('ann@example.com');
      const downloading = page.waitForEvent('download');
      await button(page, t('lists.export')).click();
      const saved = await readFile(await (await downloading).path(), 'utf8');
      expect(saved).toMatch(/^\uFEFF[^\r]+\r\n\d{4}-[^,]+Z,ann@example\.com,email,[^\r]+\r\n$/);
      await page.getByLabel(t('lists.search'), { exact: true }).fill('nobody');
      await expect(page.getByText(t('lists.none_fit'))).toBeVisible();
    });

    test('somebody who answers STOP is in the list', async ({ page, program, openTwilio }) => {
      test.setTimeout(240_000);
      const admin = await asAdmin(page, program);
      // The last who signs in is who the page is for.
      const { accountId } = await newCustomer(page, program);
      const token = randomBytes(16).toString('hex');
      const twilio = await openTwilio(token);
      const lane = `stop-${randomBytes(4).toString('hex')}`;
      const { laneId } = await admin('POST /admin/lanes', {
        body: {
          name: lane,
          provider: 'twilio',
          route: lane,
          settings: {
            TWILIO_ACCOUNT_SID: TWILIO_SID,
            TWILIO_AUTH_TOKEN: token,
            TWILIO_FROM: TWILIO_NUMBER,
          },
        },
      });
      const number = `+8523${randomInt(1e6, 1e7)}`;
      await admin('POST /admin/senders', {
        body: { accountId: accountId as AccountId, channel: 'sms', sender: number },
      });
      const stop = { from: '+85261110010', to: number, text: 'STOP' };
      await expect.poll(() => twilio.write(inboundUrl(program, lane), stop)).toBe(200);
      await removeRealLane(admin, laneId);
      await page.goto('/dashboard/messages/opt-outs');
      await expect(rows(page)).toContainText('+85261110010');
      await expect(rows(page)).toContainText(t('opt_outs.source.REPLY'));
    });

    test('the link in an email asks, unsubscribes and undoes, without a session', async ({
      page,
      program,
      browser,
    }) => {
      const { accountId } = await newCustomer(page, program);
      const key = Buffer.from((await readFile(join(program.dataDir, 'secret.key'), 'utf8')).trim(), 'hex');
      const recipient = 'somebody-with-a-rather-long-name@subdomain.example.com';
      const addressee = { accountId: accountId as AccountId, channel: 'email' as const, recipient };
      const context = await browser.newContext({ locale: language === 'zh_HK' ? 'zh-HK' : 'en-US' });
      const visitor = await context.newPage();
      await visitor.goto(`${program.url}/unsubscribe/${makeUnsubscribeToken(key, addressee)}`);
      const heading = visitor.getByRole('heading', { level: 1 });
      await expect(heading).toHaveText(t('unsubscribe.ask.title'));
      await expect(visitor.getByText(recipient)).toBeVisible();
      await expectSound(visitor, 'the page behind the link');
      await visitor.getByRole('button', { name: t('unsubscribe.confirm') }).click();
      await expect(heading).toHaveText(t('unsubscribe.out.title'));
      await page.goto('/dashboard/messages/opt-outs');
      await expect(rows(page)).toContainText(t('opt_outs.source.LINK'));
      await visitor.getByRole('button', { name: t('unsubscribe.undo') }).click();
      await expect(heading).toHaveText(t('unsubscribe.in.title'));
      await page.reload();
      await expect(page.getByText(t('opt_outs.none'))).toBeVisible();
      await context.close();
    });
  });
