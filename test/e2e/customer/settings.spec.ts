import type { Page, Request } from '@playwright/test';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { expectToast } from '../expect-toast.ts';
import { expect, test } from '../fixtures.ts';
import { expectSound } from '../sound.ts';
import { texts } from '../texts.ts';
import { newCustomer, openPage } from './customers.ts';

type Texts = ReturnType<typeof texts>;
const en = texts('en_US');

const openSettings = (page: Page, t: Texts = en) =>
  openPage(page, '/dashboard/settings', t('settings.title'));

const watchSaves = (page: Page): string[] => {
  const bodies: string[] = [];
  page.on('request', (request: Request) => {
    if (request.method() === 'PUT') bodies.push(request.postData() ?? '');
  });
  return bodies;
};

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language, expectedStatuses: [400] });
    const t = texts(language);
    const updated = t('settings.updated');

    test('currency, webhook and email are saved as they are changed', async ({ page, program }) => {
      const { call } = await newCustomer(page, program);
      await openPage(page, '/dashboard/profile', t('profile.title'));
      await page.getByRole('link', { name: t('route.settings') }).click();

      await page.getByLabel(t('settings.currency')).selectOption('USD');
      await expectToast(page, t, updated);
      const webhook = page.getByLabel(t('settings.webhook'));
      await webhook.fill('not an address');
      await webhook.blur();
      await expectToast(page, t, t('error.E_WEBHOOK_INVALID'));
      await expect(webhook).toHaveValue('not an address');
      await webhook.fill('https://receiver.example/hook');
      await webhook.press('Enter');
      await expectToast(page, t, updated);
      await page.getByRole('switch', { name: t('settings.email') }).click();
      await expectToast(page, t, updated);

      const { currency, setting } = await call('GET /account/me/profile');
      expect({ currency, ...setting }).toMatchObject({
        currency: 'USD',
        webhook: 'https://receiver.example/hook',
        receiveEmail: false,
      });
      await page.reload();
      await expect(page.getByLabel(t('settings.currency'))).toHaveValue('USD');
      await expect(webhook).toHaveValue('https://receiver.example/hook');
      await expect(page.getByRole('switch', { name: t('settings.email') })).not.toBeChecked();
    });

    test('auto charge is saved once there are an amount and a card, and off at once', async ({
      page,
      program,
    }) => {
      const { call, addCard } = await newCustomer(page, program);
      const cardId = await addCard('success-visa');
      await openSettings(page, t);
      const saves = watchSaves(page);
      const autoCharge = page.getByRole('switch', { name: t('settings.auto_charge') });
      const amount = page.getByLabel(t('settings.auto_charge_amount'));

      await autoCharge.click();
      await expect(page.getByText(t('settings.auto_charge_missing'))).toBeVisible();
      await amount.fill('1,50');
      await amount.blur();
      await expect(page.getByText(t('amount.COMMA'))).toBeVisible();
      await amount.fill('25');
      await amount.blur();
      await expectSound(page, 'the settings with their fields');
      expect(saves).toEqual([]);
      await page.getByLabel(t('settings.auto_charge_card'), { exact: true }).selectOption(cardId);
      await expectToast(page, t, updated);
      expect(saves.map((body) => JSON.parse(body))).toEqual([
        { autoCharge: true, autoChargeAmount: 25, cardId },
      ]);

      await expect(page.getByLabel(t('settings.threshold'))).toHaveValue('5.00');
      await expect(page.getByLabel(t('settings.daily_cap'))).toHaveValue('200.00');
      const cap = page.getByLabel(t('settings.daily_cap'));
      await cap.fill('10');
      await cap.press('Enter');
      await expect(page.getByText(t('settings.daily_cap_too_low'))).toBeVisible();
      await expect(cap).toHaveAttribute('aria-invalid', 'true');
      expect(saves).toHaveLength(1);
      await cap.fill('100');
      await cap.blur();
      await expectToast(page, t, updated);
      await expect(cap).not.toHaveAttribute('aria-invalid', 'true');
      expect((await call('GET /account/me/profile')).paymentSetting).toMatchObject({
        autoCharge: true,
        autoChargeAmount: 25,
        cardId,
        autoChargeDailyCap: 100,
      });

      await autoCharge.click();
      await expectToast(page, t, updated);
      await expect(amount).toBeHidden();
      expect(JSON.parse(saves.at(-1) ?? '')).toEqual({ autoCharge: false });
      expect((await call('GET /account/me/profile')).paymentSetting.autoCharge).toBe(false);
    });

    test('auto charge that turned itself off says why and what to do', async ({ page, program }) => {
      const { call, addCard, accountId } = await newCustomer(page, program);
      const cardId = await addCard('success-visa');
      await call('PUT /account/:accountId/paymentSetting', {
        params: { accountId },
        body: { autoCharge: true, autoChargeAmount: 20, cardId },
      });
      await openPage(page, '/dashboard/payments', t('payments.title'));
      await page.getByRole('button', { name: t('cards.remove', { card: 'Visa •••• 4242' }) }).click();
      await expect(page.getByRole('dialog')).toContainText(t('cards.stops_auto_charge'));
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('cards.remove_button') })
        .click();
      await expectToast(page, t, t('wallet.cardRemoved'));
      await openSettings(page, t);
      await expect(
        page.getByRole('alert').filter({ hasText: t('wallet.stopped.cardRemoved') }),
      ).toContainText(t('settings.auto_charge_mend'));
      await expectSound(page, 'the settings with their alert');
    });
  });

test.describe(() => {
  test.use({ expectedStatuses: [400, 503] });

  test('what the server refuses stands at its field, also after the field is left', async ({
    page,
    program,
  }) => {
    const { call, addCard, accountId } = await newCustomer(page, program);
    const cardId = await addCard('success-visa');
    await call('PUT /account/:accountId/paymentSetting', {
      params: { accountId },
      body: { autoCharge: true, autoChargeAmount: 25, cardId, autoChargeDailyCap: 100 },
    });
    await openSettings(page);
    const [amount, cap] = [
      page.getByLabel(en('settings.auto_charge_amount')),
      page.getByLabel(en('settings.daily_cap')),
    ];
    await amount.fill('150');
    await amount.press('Enter');
    await expectToast(page, en, en('error.E_DAILY_CAP_TOO_LOW'));
    await amount.focus();
    await amount.blur();
    await expect(cap).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByText(en('error.E_DAILY_CAP_TOO_LOW'))).toBeVisible();
    await cap.fill('200');
    await cap.blur();
    await expectToast(page, en, en('settings.updated'));
    expect((await call('GET /account/me/profile')).paymentSetting).toMatchObject({
      autoChargeAmount: 150,
      autoChargeDailyCap: 200,
    });
  });

  test('what could not be saved for another reason is tried again', async ({ page, program }) => {
    const { call, addCard, accountId } = await newCustomer(page, program);
    const cardId = await addCard('success-visa');
    await call('PUT /account/:accountId/paymentSetting', {
      params: { accountId },
      body: { autoCharge: true, autoChargeAmount: 25, cardId },
    });
    await openSettings(page);
    await page.route('**/paymentSetting', (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
    const amount = page.getByLabel(en('settings.auto_charge_amount'));
    await amount.fill('30');
    await amount.blur();
    await expectToast(page, en, en('api.unexpected'));
    await amount.focus();
    await amount.blur();
    await expectToast(page, en, en('settings.updated'));
    expect((await call('GET /account/me/profile')).paymentSetting.autoChargeAmount).toBe(30);
  });
});
