import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { newCustomer } from '../customer/customers.ts';
import { expect, test, withSession } from '../fixtures.ts';
import { expectSound } from '../sound.ts';
import { texts } from '../texts.ts';
import { untilQueryServes } from './query-service.ts';

for (const language of LANGUAGES)
  test.describe(language, () => {
    // A wrong password, and more than is left.
    test.use({ language, expectedStatuses: [400, 409] });
    const t = texts(language);

    test('an admin finds a payment, reads its story and gives a part of it back', async ({
      page,
      program,
    }) => {
      const { email, call, addCard } = await newCustomer(page, program);
      const cardId = await addCard('success-visa');
      await call('POST /cards/:cardId/charge', { params: { cardId }, body: { amount: 20 } });
      await withSession(page, program, program.admin);
      await untilQueryServes(program);
      await page.goto('/qf/query');
      await page.getByRole('link', { name: t('payments_desk.title') }).click();
      await page.getByLabel(t('guest.email')).fill(email);
      await page.getByRole('button', { name: t('lists.search'), exact: true }).click();
      await expect(page).toHaveURL(`/qf/payment?email=${encodeURIComponent(email)}`);
      const rows = page.getByRole('row').filter({ hasText: email });
      await expect(rows).toHaveCount(1);
      await rows.click();
      await expect(page.getByText(t('payments.step.created'))).toBeVisible();
      await page.getByRole('button', { name: t('payments_desk.reconcile') }).click();
      await expect(page.getByText(t('payments.compared.agrees'))).toBeVisible();

      await page.getByRole('button', { name: t('payments_desk.refund') }).click();
      const dialog = page.getByRole('dialog', { name: t('payments_desk.refund') });
      await expectSound(page, 'the dialog of a refund');
      const amount = dialog.getByLabel(t('payments_desk.amount'));
      const give = dialog.getByRole('button', { name: t('payments_desk.refund') });
      await give.click();
      await expect(dialog.getByText(t('payments_desk.reason_missing'))).toBeVisible();
      await amount.fill('200');
      await dialog.getByLabel(t('payment.reason')).fill('ordered twice');
      await dialog.getByLabel(t('guest.password'), { exact: true }).fill('not the password');
      await give.click();
      await expect(dialog.getByText(t('error.E_PASSWORD_WRONG'))).toBeVisible();
      await dialog.getByLabel(t('guest.password'), { exact: true }).fill(program.admin.password);
      await give.click();
      await expect(amount).toHaveAttribute('aria-invalid', 'true');
      await amount.fill('56.00');
      await give.dblclick();
      await expect(dialog).toBeHidden();
      await expect(rows).toHaveCount(2);
      await expect(page.getByText('ordered twice')).toBeVisible();
      await expect(page.getByText('HKD 56.00').first()).toBeVisible();
    });
  });
