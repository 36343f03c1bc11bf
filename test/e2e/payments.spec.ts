import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { LANGUAGES } from '../../contract/constants.ts';
import { newCustomer, openPage } from './customers.ts';
import { expect, test } from './fixtures.ts';
import { expectSound } from './sound.ts';
import { texts } from './texts.ts';

type Texts = ReturnType<typeof texts>;
const en = texts('en_US');

const openPayments = (page: Page, t: Texts = en) =>
  openPage(page, '/dashboard/payments', t('payments.title'));
const dialog = (page: Page) => page.getByRole('dialog');
const cardsPanel = (page: Page, t: Texts = en) => page.getByRole('region', { name: t('cards.title') });
const tile = (page: Page, last4: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: `•••• ${last4}` }) });
const history = (page: Page, t: Texts = en) =>
  page.getByRole('region', { name: t('payment.history') }).getByRole('listitem');
const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });

const addCard = async (page: Page, number: string, t: Texts = en) => {
  await page.getByRole('button', { name: t('cards.add') }).click();
  await dialog(page).getByText(t('sandbox.title')).waitFor();
  await dialog(page).getByRole('button', { name: number }).click();
  await dialog(page)
    .getByRole('button', { name: t('cards.save') })
    .click();
  await expect(dialog(page)).toBeHidden();
};

const openTopUp = async (page: Page, t: Texts = en): Promise<Locator> => {
  await page.getByRole('button', { name: t('payments.top_up') }).click();
  await expect(dialog(page).getByLabel(t('top_up.amount'))).toBeFocused();
  return dialog(page);
};

const pay = async (page: Page, amount: string, t: Texts = en): Promise<Locator> => {
  const form = await openTopUp(page, t);
  await form.getByLabel(t('top_up.amount')).fill(amount);
  await form.getByRole('button', { name: t('top_up.button') }).click();
  return form;
};

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language });
    const t = texts(language);

    test('cards are added, one becomes the default, one is removed', async ({ page, program }) => {
      await newCustomer(page, program);
      await openPayments(page, t);
      await expect(cardsPanel(page, t)).toContainText(t('cards.none'));

      await addCard(page, '4242 4242 4242 4242', t);
      await expect(toast(page, t('wallet.cardAdded'))).toBeVisible();
      await expect(tile(page, '4242')).toContainText(t('cards.default'));
      await addCard(page, '5555 5555 5555 4444', t);
      await addCard(page, '4000 0000 0000 3006', t);
      await expect(tile(page, '3006')).toContainText(t('cards.expires_soon'));
      await expect(tile(page, '4444')).toContainText('Mastercard');
      await expect(tile(page, '4444')).not.toContainText(t('cards.default'));

      await tile(page, '4444').getByRole('button', { name: '•••• 4444' }).first().click();
      await expect(dialog(page)).toContainText(t('cards.confirm_default'));
      await dialog(page)
        .getByRole('button', { name: t('layout.cancel') })
        .click();
      await expect(tile(page, '4242').getByRole('button', { pressed: true })).toBeVisible();
      await tile(page, '4444').getByRole('button', { name: '•••• 4444' }).first().click();
      await dialog(page)
        .getByRole('button', { name: t('cards.confirm') })
        .click();
      await expect(toast(page, t('wallet.cardUpdated'))).toBeVisible();
      await expect(tile(page, '4444')).toContainText(t('cards.default'));
      await expect(tile(page, '4242')).not.toContainText(t('cards.default'));

      await page.getByRole('button', { name: t('cards.remove', { card: 'Visa •••• 4242' }) }).click();
      await expect(dialog(page)).toContainText(t('cards.confirm_remove'));
      await dialog(page)
        .getByRole('button', { name: t('cards.confirm') })
        .click();
      await expect(toast(page, t('wallet.cardRemoved'))).toBeVisible();
      await expect(tile(page, '4242')).toBeHidden();
      await expect(cardsPanel(page, t).getByRole('listitem')).toHaveCount(2);
    });

    test('a top-up says thank you, closes after 5 seconds and shows in the balance', async ({
      page,
      program,
    }) => {
      const { addCard: add } = await newCustomer(page, program);
      await add('success-visa');
      await openPage(page, '/dashboard/profile', t('profile.title'));
      await expect(page.getByRole('definition').first()).toHaveText('0.00');
      await page.getByRole('link', { name: t('route.payments') }).click();
      await pay(page, '20', t);
      await expect(dialog(page).getByRole('status')).toContainText(t('wallet.paid.SUCCESS'));
      const thanked = Date.now();
      await expect(dialog(page)).toBeHidden();
      expect(Date.now() - thanked).toBeGreaterThan(4_000);
      await expect(history(page, t)).toHaveCount(1);
      await expect(history(page, t)).toContainText('HKD 156.00');
      await expect(history(page, t)).toContainText(t('payment.status.SUCCESS'));
      await expect(history(page, t)).toContainText(t('payment.type.TOP_UP'));
      await page.getByRole('link', { name: t('route.profile'), exact: true }).click();
      await expect(page.getByRole('definition').first()).toHaveText('20.00');
    });

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
      await page.getByRole('tab', { name: t('payments.ledger') }).click();
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
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await expect(toast(page, 'Card removed successfully.')).toBeVisible();
  await pay(page, '10');
  await expect(dialog(page)).toContainText('Thank you! Payment made successfully.');
});

test('an amount that is none gets a clear answer', async ({ page, program }) => {
  const { addCard: add, call, accountId } = await newCustomer(page, program);
  await add('success-visa');
  await openPayments(page);
  const form = await openTopUp(page);
  for (const [typed, answer] of [
    ['1,50', en('amount.COMMA')],
    ['-20', en('amount.NEGATIVE')],
    ['20.123456789012', en('amount.NOT_CENTS')],
    ['twenty', en('amount.INVALID')],
    ['1e3', en('amount.INVALID')],
    ['0.00', en('amount.ZERO')],
    ['6.40', en('amount.TOO_SMALL', { minimum: '6.41' })],
    ['10000.01', en('amount.TOO_LARGE', { maximum: '10,000.00' })],
  ] as const) {
    await form.getByLabel('Amount (USD)').fill(typed);
    await form.getByRole('button', { name: 'Pay Now' }).click();
    await expect(form.getByRole('alert'), typed).toHaveText(answer);
    await expect(form.getByLabel('Amount (USD)')).toBeFocused();
  }
  const { payments } = await call('GET /account/:accountId/payments', { params: { accountId } });
  expect(payments).toEqual([]);
});

test('a double click on Pay Now charges once', async ({ page, program }) => {
  const { addCard: add, call } = await newCustomer(page, program);
  await add('success-visa');
  await openPayments(page);
  const form = await openTopUp(page);
  await form.getByLabel('Amount (USD)').fill('10');
  await form.getByRole('button', { name: 'Pay Now' }).dblclick();
  await expect(form.getByRole('status')).toBeVisible();
  await expect(history(page)).toHaveCount(1);
  expect((await call('GET /account/me/profile')).balance).toBe(10);
});

test.describe(() => {
  test.use({ expectedStatuses: [400, 402, 500, 503] });

  test('a charge whose reply was lost is not made twice', async ({ page, program, complaints }) => {
    const { addCard: add, call } = await newCustomer(page, program);
    await add('success-visa');
    await openPayments(page);
    await page.route(
      '**/api/cards/*/charge',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    const form = await pay(page, '10');
    await expect(form.getByRole('alert')).toContainText(`Error: ${en('api.network')}`);
    await form.getByRole('button', { name: 'Pay Now' }).click();
    await expect(form.getByRole('status')).toBeVisible();
    await expect(history(page)).toHaveCount(1);
    expect((await call('GET /account/me/profile')).balance).toBe(10);
    // The browser reports the reply that this test took away.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')]);
  });

  test('a declined card says why, in the dialog and in the history', async ({ page, program }) => {
    const { addCard: add } = await newCustomer(page, program);
    await add('insufficient-funds');
    await openPayments(page);
    const form = await pay(page, '10');
    await expect(form.getByRole('alert')).toHaveText(/^Error: .*insufficient funds/);
    await form.getByRole('button', { name: 'Cancel' }).click();
    await expect(history(page)).toContainText('FAILED');
    await expect(history(page)).toContainText(/Reason.*insufficient funds/);
  });

  test('a payment that needs authentication can be approved, refused, and left for later', async ({
    page,
    program,
  }) => {
    const { addCard: add, call } = await newCustomer(page, program);
    await add('authentication');
    await openPayments(page);
    await pay(page, '10');
    await expect(dialog(page)).toContainText(en('sandbox.bank'));
    await dialog(page).getByRole('button', { name: 'Refuse' }).click();
    await expect(dialog(page).getByRole('alert')).toContainText('Error: ');
    await expect(history(page).first()).toContainText('FAILED');
    // What was typed is still there; approving it this time makes a payment of its own.
    await dialog(page).getByRole('button', { name: 'Pay Now' }).click();
    await dialog(page).getByRole('button', { name: 'Approve' }).click();
    await expect(dialog(page).getByRole('status')).toContainText('Thank you!');
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await expect(history(page)).toHaveCount(2);
    await pay(page, '12');
    await dialog(page).getByRole('button', { name: 'Approve' }).waitFor();
    await page.reload();
    await history(page).first().getByRole('button', { name: 'Confirm payment' }).click();
    await dialog(page).getByRole('button', { name: 'Approve' }).click();
    await expect(dialog(page).getByRole('status')).toContainText('Thank you!');
    expect((await call('GET /account/me/profile')).balance).toBe(22);
  });

  test('a payment that settles slowly is pending until it is known', async ({ page, program }) => {
    const { addCard: add } = await newCustomer(page, program);
    await add('slow-success');
    await openPayments(page);
    await pay(page, '10');
    await expect(dialog(page).getByRole('status')).toHaveText(en('wallet.paid.PENDING'));
    await expect(history(page)).toContainText('PENDING');
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();
    await expect(toast(page, en('wallet.paid.SUCCESS'))).toBeVisible({ timeout: 40_000 });
    await expect(history(page)).toContainText('SUCCESS');
  });

  test('what cannot be loaded says so and can be tried again', async ({ page, program }) => {
    await newCustomer(page, program);
    await page.route('**/api/cards', (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
    await page.route('**/api/account/*/payments*', (route) => route.fulfill({ status: 500, json: {} }), {
      times: 1,
    });
    await openPayments(page);
    for (const text of [en('cards.failed'), en('payment.failed')])
      await page
        .getByRole('alert')
        .filter({ hasText: text })
        .getByRole('button', { name: en('layout.try_again') })
        .click();
    await expect(cardsPanel(page)).toContainText(en('cards.none'));
    await expect(page.getByText(en('payment.none'))).toBeVisible();
  });

  test('a card form with faults says which', async ({ page, program }) => {
    await newCustomer(page, program);
    await openPayments(page);
    await page.getByRole('button', { name: 'Add card' }).click();
    const form = dialog(page);
    await form.getByRole('button', { name: 'Save card' }).click();
    await expect(form).toContainText(en('sandbox.number_missing'));
    await expect(form).toContainText(en('sandbox.expiry_invalid'));
    await expect(form).toContainText(en('sandbox.cvc_invalid'));
    await form.getByLabel('Card number').fill('4111 1111 1111 1111');
    await form.getByLabel('Expiry date').fill('12/2039');
    await form.getByLabel('Security code').fill('123');
    await form.getByRole('button', { name: 'Save card' }).click();
    await expect(form.getByRole('alert')).toHaveText(en('error.E_CARD_NOT_A_TEST_NUMBER'));
  });
});

test('the receipt of a top-up is a PDF', async ({ page, program }) => {
  const { addCard: add } = await newCustomer(page, program);
  await add('success-visa');
  await openPayments(page);
  await pay(page, '10');
  await expect(dialog(page).getByRole('status')).toBeVisible();
  await page.keyboard.press('Escape');
  const downloading = page.waitForEvent('download');
  await history(page)
    .getByRole('button', { name: /^Receipt/ })
    .click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^receipt-[0-9a-f]{8}\.pdf$/);
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');
});

test('the ledger shows every movement, filtered by kind and day, and as a CSV file', async ({
  page,
  program,
}) => {
  const { addCard: add, call, accountId } = await newCustomer(page, program);
  const cardId = await add('success-visa');
  await call('POST /cards/:cardId/charge', { params: { cardId }, body: { amount: 10 } });
  await call('POST /cards/:cardId/charge', { params: { cardId }, body: { amount: 20 } });
  const admin = await page.request.post(`${program.url}/api/account/login`, { data: program.admin });
  await page.request.post(`${program.url}/api/account/${accountId}/adjustment`, {
    data: { amount: -4.5, reason: '=goodwill' },
    headers: { authorization: (await admin.json()).token },
  });
  await openPayments(page);
  await page.getByRole('tab', { name: 'Ledger' }).click();
  const rows = page.getByRole('table').locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText(/Adjustment.*-4\.50.*25\.50/);
  await expect(rows.nth(1)).toContainText(/\+20\.00.*30\.00/);
  await expect(rows.nth(2)).toContainText(/\+10\.00.*10\.00/);

  await page.getByLabel('Kind').selectOption({ label: 'Top-up' });
  await expect(rows).toHaveCount(2);
  await page.reload();
  await expect(rows).toHaveCount(2);
  await page.getByLabel('To', { exact: true }).fill('2001-01-01');
  await expect(page.getByText(en('ledger.none'))).toBeVisible();
  await page.getByLabel('To', { exact: true }).fill('');
  await page.getByLabel('From').fill(new Date(Date.now() - 86_400_000).toISOString().slice(0, 10));
  await expect(rows).toHaveCount(2);

  await page.getByLabel('Kind').selectOption('');
  await expect(rows).toHaveCount(3);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const lines = (await readFile(await (await downloading).path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/^\uFEFFTime,/);
  expect(lines[1]).toContain('-4.50,25.50');
});
