import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { expect, test } from '../fixtures.ts';
import { expectSound } from '../sound.ts';
import { texts } from '../texts.ts';
import { newCustomer } from './customers.ts';
import { cardsPanel, dialog, history, openPayments, pay, tile, toast } from './payments-page.ts';

const en = texts('en_US');

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language });
    const t = texts(language);

    test('the payments page is accessible, empty and filled', async ({ page, program }) => {
      const { addCard: add, call } = await newCustomer(page, program);
      await openPayments(page, t);
      await cardsPanel(page, t).getByText(t('cards.none')).waitFor();
      await expectSound(page, 'the empty payments page');
      const cardId = await add('success-visa');
      await add('expires-soon');
      await call('POST /cards/:cardId/charge', { params: { cardId }, body: { amount: 10 } });
      await openPayments(page, t);
      await history(page, t).waitFor();
      await expectSound(page, 'the payments page');
      await page.getByRole('link', { name: t('payments.ledger'), exact: true }).click();
      await page.getByRole('table').waitFor();
      await expectSound(page, 'the ledger');
    });

    test('the dialogs of the payments page are accessible', async ({ page, program }) => {
      const { addCard: add } = await newCustomer(page, program);
      await add('authentication');
      await openPayments(page, t);
      await page.getByRole('button', { name: t('cards.add') }).click();
      await dialog(page).getByText(t('sandbox.title')).waitFor();
      await expectSound(page, 'the card form');
      await page.keyboard.press('Escape');
      await pay(page, '0', t);
      await expectSound(page, 'the top-up form with its fault');
      await dialog(page).getByLabel(t('top_up.amount')).fill('20');
      await dialog(page)
        .getByRole('button', { name: t('top_up.button') })
        .click();
      await dialog(page).getByText(t('sandbox.bank')).waitFor();
      await expectSound(page, 'the authentication');
    });
  });

test('the texts of the specification stand as they are', async ({ page, program }) => {
  const { addCard: add } = await newCustomer(page, program);
  await add('success-visa');
  await add('success-mastercard');
  await openPayments(page);
  await page.getByRole('button', { name: 'Top up now' }).click();
  await dialog(page).getByLabel('Card').selectOption('');
  await dialog(page).getByRole('button', { name: 'Pay Now' }).click();
  await expect(dialog(page)).toContainText('Select valid card');
  await expect(dialog(page)).toContainText('Amount should not be zero');
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await tile(page, '4444').getByRole('button').first().click();
  await expect(dialog(page)).toContainText('Please confirm that you want to set default card.');
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await expect(toast(page, 'Card updated successfully.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove Visa •••• 4242' }).click();
  await expect(dialog(page)).toContainText('Please confirm that you want to delete.');
  await dialog(page).getByRole('button', { name: 'Remove card' }).click();
  await expect(toast(page, 'Card removed successfully.')).toBeVisible();
  await pay(page, '10');
  await expect(dialog(page)).toContainText('Thank you! Payment made successfully.');
});

test.describe(() => {
  test.use({ expectedStatuses: [503] });

  test('a profile that cannot be loaded says so and can be tried again', async ({ page, program }) => {
    await newCustomer(page, program);
    await page.evaluate(() => localStorage.removeItem('accountId'));
    await page.route('**/api/account/me/profile', (route) => route.fulfill({ status: 503, json: {} }), {
      times: 1,
    });
    await openPayments(page);
    await page
      .getByRole('alert')
      .filter({ hasText: en('profile.failed') })
      .getByRole('button', { name: en('layout.try_again') })
      .click();
    await expect(page.getByText(en('payment.none'))).toBeVisible();
    await expect(page.getByText(en('profile.failed'))).toBeHidden();
  });
});
