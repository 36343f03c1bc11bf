import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { expect, test, withSession } from '../fixtures.ts';
import { expectSound } from '../sound.ts';
import { texts } from '../texts.ts';
import { newCustomer } from './customers.ts';

for (const language of LANGUAGES)
  test.describe(language, () => {
    // What nobody may change while only looking, and the wait of a suspended account.
    test.use({ language, expectedStatuses: [403] });
    const t = texts(language);

    test('an admin suspends an account, sees it as its owner does, and finds both in the audit log', async ({
      page,
      program,
    }) => {
      test.setTimeout(180_000);
      const { email, accountId } = await newCustomer(page, program);
      await withSession(page, program, program.admin);
      await page.goto('/dashboard/accounts');
      await page.getByLabel(t('customers.keyword')).fill(email);
      await page.getByRole('button', { name: t('lists.search'), exact: true }).click();
      const row = page.getByRole('row').filter({ hasText: email });
      await expect(row).toHaveCount(1);
      await expectSound(page, 'the page of accounts');
      await row.click();

      await page.getByRole('button', { name: t('customers.suspend'), exact: true }).click();
      const dialog = page.getByRole('dialog', { name: t('customers.suspend'), exact: true });
      await dialog.getByLabel(t('payment.reason')).fill('complaints');
      await dialog.getByRole('button', { name: t('customers.suspend'), exact: true }).click();
      await expect(page.getByText(t('customers.suspended'))).toBeVisible();
      await expect(row).toContainText(t('customers.state.suspended'));

      await page.getByRole('button', { name: t('customers.view'), exact: true }).click();
      const viewing = page.getByRole('dialog', { name: t('customers.view'), exact: true });
      await viewing.getByLabel(t('payment.reason')).fill('asked by phone');
      await expectSound(page, 'the dialog before seeing an account');
      await viewing.getByRole('button', { name: t('customers.view'), exact: true }).click();
      const banner = page.getByText(t('view.title', { email }));
      await expect(banner).toBeVisible();
      await expect(page).toHaveURL('/dashboard/profile');
      await page.goto('/dashboard/settings');
      await expect(banner).toBeVisible();
      await expect(page.getByText('asked by phone')).toBeVisible();
      const allow = page.getByRole('main').getByRole('button', { name: t('view.allow'), exact: true });
      await allow.click();
      const allowing = page.getByRole('dialog', { name: t('view.allow'), exact: true });
      await allowing.getByLabel(t('view.password'), { exact: true }).fill(program.admin.password);
      await expectSound(page, 'the dialog that allows changes');
      await allowing.getByRole('button', { name: t('view.allow'), exact: true }).click();
      await expect(allow).toBeHidden();
      await expect(page).toHaveURL('/dashboard/settings');
      await expect(page.getByText('asked by phone')).toHaveCount(2);
      await page.getByRole('button', { name: t('view.end'), exact: true }).click();
      await expect(page).toHaveURL('/dashboard/accounts');
      await expect(banner).toBeHidden();

      await page.goto(`/dashboard/accounts?keyword=${accountId}`);
      await row.click();
      await page.getByRole('button', { name: t('customers.restore'), exact: true }).click();
      const restoring = page.getByRole('dialog', { name: t('customers.restore'), exact: true });
      await restoring.getByRole('button', { name: t('customers.restore'), exact: true }).click();
      await expect(page.getByText(t('customers.restored'))).toBeVisible();
      await expect(row).toContainText(t('customers.state.active'));

      await page.goto(`/dashboard/audit?accountId=${accountId}&kind=write`);
      const entry = page.getByRole('row').filter({ hasText: 'POST /admin/accounts/:accountId/suspension' });
      await expect(entry).toHaveCount(1);
      await expectSound(page, 'the audit log');
      await entry.click();
      await expect(page.getByText('complaints').first()).toBeVisible();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: t('audit.verify') }).click();
      await expect(page.getByRole('alert').filter({ hasText: ':' }).first()).toBeVisible();
    });
  });
