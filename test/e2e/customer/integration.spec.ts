import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { expect, test } from '../fixtures.ts';
import { expectSound } from '../sound.ts';
import { texts } from '../texts.ts';
import { type Customer, newCustomer, openPage } from './customers.ts';

type Texts = ReturnType<typeof texts>;

const apiInfo = ({ call, accountId }: Customer) =>
  call('GET /account/:accountId/apiInfo', { params: { accountId } });
const openIntegration = (page: Page, t: Texts) =>
  openPage(page, '/dashboard/integration', t('route.integration'));
const toast = (page: Page, text: string) => page.locator('.mantine-Notification-root', { hasText: text });

const sendBySecret = (url: string, secret: string, phone: string) =>
  fetch(`${url}/api/sms/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ phone, message: 'hello' }),
  });

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language });
    const t = texts(language);

    test('the secret is hidden until it is asked for, in the sample code too', async ({ page, program }) => {
      const customer = await newCustomer(page, program);
      const { secret, testSecret, codes } = await apiInfo(customer);
      await openPage(page, '/dashboard/profile', t('profile.title'));
      await page.getByRole('link', { name: t('route.integration') }).click();
      const field = page.getByLabel(t('integration.secret'), { exact: true });
      await expect(field).toHaveAttribute('type', 'password');
      const code = page.getByRole('region', { name: t('integration.code_of', { language: 'cURL' }) });
      await expect(code).toContainText('/api/sms/send');
      await expect(code).not.toContainText(secret);
      await page
        .getByRole('button', { name: t('integration.show', { name: t('integration.secret') }) })
        .click();
      await expect(field).toHaveAttribute('type', 'text');
      await expect(field).toHaveValue(secret);
      await expect(code).toContainText(secret);

      const select = page.getByLabel(t('integration.language'));
      // The last one of the list is dropped, as the specification says.
      await expect(select.locator('option')).toHaveText(Object.keys(codes).slice(0, -1));
      await select.selectOption('Java');
      await expect(page.getByText('public class Send {')).toBeVisible();
      await page.getByRole('switch', { name: t('integration.with_test_secret') }).click();
      await expect(page.getByText(testSecret)).toBeVisible();
      await page.getByText(t('integration.purpose_verify'), { exact: true }).click();
      await expect(page.getByText('public class Webhook {')).toBeVisible();
    });

    test.describe(() => {
      // A wrong password is refused.
      test.use({ expectedStatuses: [400] });

      test('the eye asks for the password when it was typed long ago', async ({ page, program }) => {
        const customer = await newCustomer(page, program);
        const { secret } = await apiInfo(customer);
        // As the server answers a session of some time ago, until the password was confirmed.
        let confirmed = false;
        await page.route('**/apiInfo', async (route) => {
          const info = await (await route.fetch()).json();
          const masked = {
            ...info,
            masked: true,
            secret: '••••••••••••abcd',
            testSecret: '••••••••••••efgh',
          };
          await route.fulfill({ json: confirmed ? info : masked });
        });
        page.on('response', (answer) => {
          if (answer.url().endsWith('/confirmPassword') && answer.ok()) confirmed = true;
        });
        await openIntegration(page, t);
        const field = page.getByLabel(t('integration.secret'), { exact: true });
        await expect(field).toHaveValue('••••••••••••abcd');
        const show = t('integration.show', { name: t('integration.secret') });
        await page.getByRole('button', { name: show }).click();
        const dialog = page.getByRole('dialog', { name: t('integration.confirm_title') });
        const password = dialog.getByLabel(t('guest.password'), { exact: true });
        await password.fill('not the password');
        await dialog.getByRole('button', { name: t('integration.confirm_button') }).click();
        await expect(dialog.getByRole('alert')).toBeVisible();
        await expectSound(page, 'the question for the password');
        await password.fill(customer.password);
        await dialog.getByRole('button', { name: t('integration.confirm_button') }).click();
        await expect(dialog).toHaveCount(0);
        await expect(field).toHaveValue(secret);
        await expect(field).toHaveAttribute('type', 'text');
      });
    });

    test('a secret is replaced after a question, and the old one is ended', async ({ page, program }) => {
      const customer = await newCustomer(page, program);
      const before = await apiInfo(customer);
      await openIntegration(page, t);
      const rotate = page.getByRole('button', {
        name: t('integration.rotate_named', { name: t('integration.test_secret') }),
      });
      const dialog = page.getByRole('dialog');
      await rotate.click();
      await dialog.getByRole('button', { name: t('layout.cancel') }).click();
      await expect(dialog).toBeHidden();
      await rotate.click();
      await dialog.getByRole('button', { name: t('integration.rotate') }).dblclick();
      await expect(toast(page, t('integration.rotated'))).toBeVisible();
      const after = await apiInfo(customer);
      expect(after.testSecret).not.toBe(before.testSecret);
      expect(after.secret).toBe(before.secret);
      expect(after.oldSecrets).toHaveLength(1);
      expect((await sendBySecret(program.url, before.testSecret, '61112222')).status).toBe(200);

      const hint = before.testSecret.slice(-4);
      await expect(page.getByText(`…${hint}`)).toBeVisible();
      await page.getByRole('button', { name: t('integration.end_named', { hint }) }).click();
      await dialog.getByRole('button', { name: t('integration.end') }).click();
      await expect(page.getByRole('region', { name: t('integration.old') })).toBeHidden();
      await expect(
        page.getByRole('heading', { name: t('integration.secrets'), level: 2, exact: true }),
      ).toBeFocused();
      expect((await apiInfo(customer)).oldSecrets).toEqual([]);
    });

    test('calls are listed with their answers, by status', async ({ page, program }) => {
      const customer = await newCustomer(page, program);
      const { accountId } = customer;
      const { testSecret } = await apiInfo(customer);
      await customer.call('POST /account/:accountId/secret/rotate', {
        params: { accountId },
        body: { test: true },
      });
      await openIntegration(page, t);
      await expect(page.getByText(t('integration.calls_none'))).toBeVisible();
      for (let times = 0; times < 27; times += 1) await sendBySecret(program.url, testSecret, '61112222');
      const refused = await sendBySecret(program.url, testSecret, '12');
      const requestId = refused.headers.get('x-request-id') ?? '';
      // They are written within a second.
      await expect(async () => {
        await page.getByRole('button', { name: t('integration.refresh') }).click();
        await expect(page.getByText(t('integration.calls_shown', { shown: 25, total: 28 }))).toBeVisible({
          timeout: 5_000,
        });
      }).toPass();
      await page.getByRole('button', { name: t('layout.load_more') }).click();
      const rows = page.locator('tbody tr');
      await expect(rows).toHaveCount(28);
      await page.getByLabel(t('integration.status')).selectOption('REFUSED');
      await expect(rows).toHaveCount(1);
      await rows.filter({ hasText: 'E_PHONE_INVALID' }).click();
      await expect(page.getByText(requestId).first()).toBeVisible();
      await expect(page.getByRole('region', { name: t('integration.answer') })).toContainText('"code"');
      await page.getByLabel(t('integration.status')).selectOption('SUCCEEDED');
      await expect(rows.filter({ hasText: '200' })).toHaveCount(25);
      await page.keyboard.press('Escape');
      await rows.first().click();
      await expect(page.getByRole('region', { name: t('integration.answer') })).toContainText('+852***22');
      await expectSound(page, 'Integration with an old secret and an open call');
    });
  });

test('the API page builds a client from the document, which sends a message', async ({ page, program }) => {
  const customer = await newCustomer(page, program);
  const { testSecret } = await apiInfo(customer);
  await page.goto('/api/docs');
  await page.getByRole('button', { name: 'Authorize' }).click();
  const dialog = page.locator('.dialog-ux');
  await dialog.getByRole('textbox').first().fill(testSecret);
  await dialog.getByRole('button', { name: 'Apply credentials' }).first().click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const operation = page.locator('#operations-messages-postChannelSend');
  await operation.getByRole('button').first().click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.locator('textarea').fill(JSON.stringify({ phone: '+85261110000', message: 'tried out' }));
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table');
  await expect(answer).toContainText('200');
  await expect(answer).toContainText('"batchId"');
  await expect(answer).toContainText('"test": true');
});
