import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { expect, test } from '../fixtures.ts';
import { texts } from '../texts.ts';
import { newCustomer, openPage } from './customers.ts';
import { dialog, history, openPayments, openTopUp, pay, toast } from './payments-page.ts';

const en = texts('en_US');

/** How long the dialog says thank you, by the page's own clock: from here it may be seen late. */
const thanksMs = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let since: number | undefined;
        const observer = new MutationObserver(() => {
          if (document.querySelector('[role="dialog"] [role="status"]')) since ??= performance.now();
          else if (since !== undefined) {
            observer.disconnect();
            resolve(performance.now() - since);
          }
        });
        observer.observe(document.body, { subtree: true, childList: true });
      }),
  );

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language });
    const t = texts(language);

    test('a top-up says thank you, closes after 5 seconds and shows in the balance', async ({
      page,
      program,
    }) => {
      const { addCard: add } = await newCustomer(page, program);
      await add('success-visa');
      await openPage(page, '/dashboard/profile', t('profile.title'));
      await expect(page.getByRole('definition').first()).toHaveText('0.00');
      await page.getByRole('link', { name: t('route.payments') }).click();
      const form = await openTopUp(page, t);
      const shown = thanksMs(page);
      await form.getByLabel(t('top_up.amount')).fill('20');
      await form.getByRole('button', { name: t('top_up.button') }).click();
      await expect(form.getByRole('status')).toContainText(t('wallet.paid.SUCCESS'));
      await expect(form).toBeHidden();
      expect(await shown).toBeGreaterThan(4_000);
      await expect(history(page, t)).toHaveCount(1);
      await expect(history(page, t)).toContainText('HKD 156.00');
      await expect(history(page, t)).toContainText(t('payment.status.SUCCESS'));
      await expect(history(page, t)).toContainText(t('payment.type.TOP_UP'));
      await page.getByRole('link', { name: t('route.profile'), exact: true }).click();
      await expect(page.getByRole('definition').first()).toHaveText('20.00');
    });
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

test('the thanks keep the focus inside the dialog, and Close ends them', async ({ page, program }) => {
  const { addCard: add } = await newCustomer(page, program);
  await add('success-visa');
  await page.clock.install();
  await openPayments(page);
  const form = await pay(page, '10');
  await expect(form.getByRole('status')).toContainText('Thank you!');
  const close = form.getByRole('status').getByRole('button', { name: 'Close' });
  await expect(close).toBeFocused();
  // They would end by themselves after a while.
  await page.clock.pauseAt(Date.now() + 1_000);
  for (const key of ['Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
    await page.keyboard.press(key);
    await expect(form.locator(':focus'), key).toHaveCount(1);
  }
  await page.clock.resume();
  await close.click();
  await expect(form).toBeHidden();
  await expect(page.getByRole('button', { name: en('payments.top_up') })).toBeFocused();
});

test.describe(() => {
  test.use({ expectedStatuses: [402, 503] });

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
    // The browser reports the reply that this test dropped.
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
    // What was typed is still there; approving it this time makes a separate payment.
    await dialog(page).getByRole('button', { name: 'Pay Now' }).click();
    await dialog(page).getByRole('button', { name: 'Approve' }).click();
    await expect(dialog(page).getByRole('status')).toContainText('Thank you!');
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();
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
});
