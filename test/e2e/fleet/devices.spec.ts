import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { newCustomer, openPage } from '../customer/customers.ts';
import { expect, test } from '../fixtures.ts';
import { expectFit } from '../sound.ts';
import { texts } from '../texts.ts';

const PATH = '/dashboard/devices';
const NARROW = { width: 390, height: 844 };
const WIDE = { width: 1440, height: 900 };
/** The simulator pairs by itself after a moment; a worker first has to take the device. */
const PAIRED = { timeout: 60_000 };

type Texts = ReturnType<typeof texts>;

const row = (page: Page) => page.locator('tbody tr');
const toast = (page: Page, text: string) => page.locator('.mantine-Notification-root', { hasText: text });
const dialog = (page: Page) => page.locator('[aria-modal="true"]');
const act = async (page: Page, t: Texts, label: string) => {
  await row(page)
    .getByRole('button', { name: t('devices.actions_of', { device: '' }).trim() })
    .click();
  await page.getByRole('menuitem', { name: t(label), exact: true }).click();
};

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language, colorScheme: language === 'zh_HK' ? 'dark' : 'light', expectedStatuses: [409] });
    const t = texts(language);

    test('a device is created, paired, sends, is stopped and deleted', async ({ page, program }) => {
      test.setTimeout(180_000);
      await page.setViewportSize(NARROW);
      const customer = await newCustomer(page, program);
      const cardId = await customer.addCard('success-visa');
      await customer.call('POST /cards/:cardId/charge', { params: { cardId }, body: { amount: 20 } });
      await openPage(page, PATH, t('devices.title'));
      await expect(page.getByRole('heading', { name: t('devices.need_more') })).toBeVisible();
      await expectFit(page, 'no devices');

      await page.getByRole('button', { name: t('devices.create') }).click();
      const form = page.getByRole('form', { name: t('devices.new') });
      const create = form.getByRole('button', { name: t('devices.create') });
      await create.click();
      await expect(form.getByRole('alert')).toHaveText([
        t('devices.country_missing'),
        t('devices.not_accepted'),
        t('devices.not_accepted'),
      ]);
      await expect(form.getByLabel(t('devices.country'))).toBeFocused();
      await expectFit(page, 'a new device');
      await form.getByLabel(t('devices.country')).selectOption('HK');
      for (const box of await form.getByRole('checkbox').all()) await box.check();
      await create.click();
      await expect(toast(page, t('device.created'))).toBeVisible();

      // In the end it tells the number that it was paired with, without a click.
      await expect(dialog(page)).toContainText(/\+852/, PAIRED);
      await dialog(page)
        .getByRole('button', { name: t('devices.done') })
        .click();
      await expect(row(page)).toContainText(t('devices.status.RUNNING'));
      await page.setViewportSize(WIDE);
      const [own] = (await customer.call('GET /devices')).devices;
      await expect(row(page)).toContainText(own?.phoneNumber ?? 'none');
      await expectFit(page, 'devices');

      // The only one that runs is chosen already.
      await openPage(page, '/dashboard/messages/send', t('send.title'));
      await page.getByRole('radio', { name: 'WhatsApp', exact: true }).check();
      await expect(page.getByLabel(t('send.device'))).toHaveValue(own?.deviceId ?? 'none');
      await page.getByRole('combobox', { name: t('send.phone') }).fill('6111 2222');
      await page.getByLabel(t('send.message'), { exact: true }).fill('by my own number');
      await page.getByRole('button', { name: t('send.button'), exact: true }).click();
      const sent = page.getByRole('region', { name: t('send.result') }).locator('tbody tr');
      await expect(sent.first()).toContainText(t('messages.status.SUCCESS'), PAIRED);
      // One more waits for its time.
      await customer.call('POST /:channel/send', {
        params: { channel: 'whatsapp' },
        body: {
          phone: '6111 2222',
          countryCode: 'HK',
          message: 'later',
          fromPhone: own?.deviceId,
          sendAt: new Date(Date.now() + 86_400_000).toISOString().slice(0, 16),
        },
      });

      await page.setViewportSize(NARROW);
      await openPage(page, PATH, t('devices.title'));
      await act(page, t, 'devices.stop');
      await expect(toast(page, t('device.stopped'))).toBeVisible();
      await expect(row(page)).toContainText(t('devices.status.STOPPED'), PAIRED);
      await act(page, t, 'devices.stop');
      await expect(toast(page, t('error.E_DEVICE_STOPPED'))).toBeVisible();

      // It is not offered any more.
      await openPage(page, '/dashboard/messages/send', t('send.title'));
      await expect(page.getByLabel(t('send.device'))).toHaveValue('simulator');
      await page.setViewportSize(WIDE);
      await openPage(page, PATH, t('devices.title'));
      await act(page, t, 'devices.delete');
      const confirm = dialog(page).getByRole('button', { name: t('devices.delete'), exact: true });
      await confirm.click();
      await expect(dialog(page)).toContainText(t('error.E_DEVICE_WAITING', { count: 1 }));
      await expectFit(page, 'the question');
      await confirm.click();
      await expect(toast(page, t('device.deletedCancelled', { count: 1 }))).toBeVisible();
      await expect(page.getByRole('heading', { name: t('devices.need_more') })).toBeVisible();

      // Nobody scans the codes of this one, so that they stay for a while; then a code to be typed takes their place.
      await customer.call('POST /devices/create', { body: { countryCode: 'HK', phoneName: 'expires' } });
      await row(page)
        .getByRole('button', { name: t('devices.pair'), exact: true })
        .click(PAIRED);
      await expect(dialog(page).getByRole('img', { name: /wa-hk-/ })).toBeVisible();
      await expectFit(page, 'pairing');
      await dialog(page)
        .getByRole('button', { name: t('devices.by_code') })
        .click();
      await dialog(page).getByLabel(t('devices.number')).fill('+852 6111 0001');
      await dialog(page)
        .getByRole('button', { name: t('devices.get_code') })
        .click();
      await expect(toast(page, t('device.pairingCode'))).toBeVisible();
      await expect(dialog(page).locator('output')).toHaveText(/\S{8}/, PAIRED);
    });
  });
