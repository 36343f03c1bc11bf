import type { Reply } from '../../../contract/calls.ts';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { callApi } from '../../api.ts';
import { unzip } from '../../unzip.ts';
import { expect, test, withSession } from '../fixtures.ts';
import { expectSound } from '../sound.ts';
import { texts } from '../texts.ts';
import { newCustomer, openPage } from './customers.ts';

for (const language of LANGUAGES)
  test.describe(language, () => {
    // A wrong password, a closed account, and what the page requests at the moment when its session ends.
    test.use({ language, expectedStatuses: [400, 401, 403, 409] });
    const t = texts(language);

    test('a customer takes a copy of all data and closes the account, once', async ({ page, program }) => {
      const { email, password, accountId, call, addCard } = await newCustomer(page, program);
      const cardId = await addCard('success-visa');
      await call('POST /cards/:cardId/charge', { params: { cardId }, body: { amount: 20 } });
      await openPage(page, '/dashboard/settings', t('settings.title'));

      const began = page.waitForEvent('download');
      await page.getByRole('button', { name: t('settings.export_button') }).click();
      const download = await began;
      expect(download.suggestedFilename()).toMatch(/^posthorn-export-\d{4}-\d\d-\d\d\.zip$/);
      const files = await unzip(await download.path());
      expect(JSON.parse(files.get('profile.json')?.toString() ?? '')).toMatchObject({ email, balance: 20 });
      expect([...files.keys()]).toContain('messages.csv');

      await page.getByRole('button', { name: t('settings.close_open') }).click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByText('20.00')).toBeVisible();
      await expectSound(page, 'the dialog that closes the account');
      const sure = dialog.getByRole('button', { name: t('settings.close_button') });
      await sure.click();
      await expect(dialog.getByText(t('settings.close_email_differs'))).toBeVisible();
      await dialog.getByLabel(t('settings.close_email')).fill(email.toUpperCase());
      await dialog.getByLabel(t('guest.password'), { exact: true }).fill('not the password');
      await sure.click();
      await expect(dialog.getByRole('alert')).toContainText(t('error.E_PASSWORD_WRONG'));
      await expect(dialog.getByLabel(t('guest.password'), { exact: true })).toBeFocused();
      await dialog.getByLabel(t('guest.password'), { exact: true }).fill(password);
      await sure.dblclick();

      await expect(page).toHaveURL('/login');
      await expect(page.getByText(t('login.closed'))).toBeVisible();
      expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
      await page.getByLabel(t('guest.email'), { exact: true }).fill(email);
      await page.getByLabel(t('guest.password'), { exact: true }).fill(password);
      await page.getByRole('button', { name: t('login.button'), exact: true }).click();
      await expect(page.getByRole('alert')).toContainText(t('error.E_ACCOUNT_CLOSED'));
      await expect
        .poll(async () => {
          const { reply } = await callApi(program.url, 'GET /mailbox');
          return reply.mails.filter((mail) => mail.to.includes(email)).map(({ subject }) => subject);
        })
        .toContain(t('mail.closed.subject'));

      const { reply } = await callApi(program.url, 'POST /account/login', { body: program.admin });
      const list = await callApi(program.url, 'GET /accounts', { token: reply.token });
      const closed = list.reply.accounts.find(({ _id }) => _id === accountId);
      expect(closed).toMatchObject({ active: false, balance: 20, closedAt: expect.any(String) });
    });

    test('an admin sees how long data is kept, a customer does not', async ({ page, program }) => {
      await withSession(page, program, program.admin);
      // It runs at its hour of the night, perhaps in this one.
      await page.route('**/api/admin/retention', async (route) => {
        const response = await route.fetch();
        const found: Reply<'GET /admin/retention'> = await response.json();
        await route.fulfill({ response, json: { ...found, log: [] } });
      });
      await openPage(page, '/dashboard/settings', t('settings.title'));
      await page.getByRole('link', { name: t('retention.see') }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('retention.title'));
      await expect(page.getByRole('cell', { name: t('retention.rule.closed-identity') })).toBeVisible();
      await expect(page.getByText(t('retention.log_empty'))).toBeVisible();
      await expectSound(page, 'retention');
      const { token } = await (async () => {
        const { reply } = await callApi(program.url, 'POST /account/login', { body: program.customer });
        return reply;
      })();
      expect((await callApi(program.url, 'GET /admin/retention', { token })).status).toBe(403);
      await withSession(page, program, program.customer);
      await page.goto('/dashboard/retention');
      await expect(page).toHaveURL('/not_found');
    });
  });

test.describe('admins', () => {
  test.use({ expectedStatuses: [409] });
  const t = texts('en_US');

  test('the last admin is told why the account stays', async ({ page, program }) => {
    await withSession(page, program, program.admin);
    await openPage(page, '/dashboard/settings', t('settings.title'));
    await page.getByRole('button', { name: t('settings.close_open') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(t('settings.close_email')).fill(program.admin.email);
    await dialog.getByLabel(t('guest.password'), { exact: true }).fill(program.admin.password);
    await dialog.getByRole('button', { name: t('settings.close_button') }).click();
    await expect(dialog.getByRole('alert')).toContainText(t('error.E_LAST_OWNER'));
  });
});
