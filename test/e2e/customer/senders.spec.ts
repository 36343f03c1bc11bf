import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { callApi } from '../../api.ts';
import { expect, test } from '../fixtures.ts';
import { expectSound } from '../sound.ts';
import { texts } from '../texts.ts';
import { newCustomer, openPage } from './customers.ts';

/** The code of the newest mail to an address; it may take a moment to arrive. */
const mailedCode = async (url: string, to: string): Promise<string> => {
  let code = '';
  await expect(async () => {
    const { reply } = await callApi(url, 'GET /mailbox');
    code = /\b\d{4} \d{4}\b/.exec(reply.mails.find((one) => one.to.includes(to))?.subject ?? '')?.[0] ?? '';
    expect(code).not.toBe('');
  }).toPass({ timeout: 20_000 });
  return code;
};
const toast = (page: Page, text: string) => page.locator('.mantine-Notification-root', { hasText: text });

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language, expectedStatuses: [400] });
    const t = texts(language);

    test('an address is verified by its code, a domain shows its record, and either is removed', async ({
      page,
      program,
    }) => {
      const { email, call, accountId } = await newCustomer(page, program);
      const address = `news-${email}`;
      await openPage(page, '/dashboard/settings', t('settings.title'));
      const panel = page.getByRole('region', { name: t('senders.title') });
      const field = panel.getByLabel(t('senders.add_label'));
      const add = async (typed: string) => {
        await field.fill(typed);
        await panel.getByRole('button', { name: t('senders.add'), exact: true }).click();
      };
      await add('nobody');
      await expect(toast(page, t('error.E_SENDER_INVALID'))).toBeVisible();
      await expect(field).toHaveValue('nobody');

      await add(address);
      await expect(toast(page, t('sender.code_sent', { sender: address }))).toBeVisible();
      await expect(field).toHaveValue('');
      const code = panel.getByLabel(t('senders.code'));
      await code.fill('0000');
      await code.press('Enter');
      await expect(toast(page, t('error.E_SENDER_CODE_WRONG', { left: '4' }))).toBeVisible();
      await code.fill(await mailedCode(program.url, address));
      await code.press('Enter');
      await expect(toast(page, t('sender.verified', { sender: address }))).toBeVisible();
      await expect(panel.getByText(t('senders.verified'), { exact: true })).toBeVisible();
      await expect(code).toBeHidden();

      await add('Shop.example');
      await expect(panel.getByText('_posthorn.shop.example', { exact: true })).toBeVisible();
      await expect(panel.getByText(/^posthorn=/)).toBeVisible();
      await expect(
        panel.getByRole('button', { name: t('senders.check_named', { sender: 'shop.example' }) }),
      ).toBeVisible();
      await expect(page.locator('.mantine-Notification-root')).toHaveCount(0);
      await expectSound(page, 'senders');

      await panel
        .getByRole('button', { name: t('senders.remove_named', { sender: 'shop.example' }) })
        .click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('senders.remove'), exact: true })
        .click();
      await expect(toast(page, t('sender.removed'))).toBeVisible();
      await expect(panel.getByText('_posthorn.shop.example')).toBeHidden();
      const { senders } = await call('GET /account/:accountId/senders', { params: { accountId } });
      expect(senders).toMatchObject([{ sender: address, verified: true }]);

      await openPage(page, '/dashboard/messages/send', t('send.title'));
      await expect(page.getByLabel(t('send.own_address', { address }))).toBeVisible();
    });
  });
