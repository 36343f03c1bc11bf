import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { expect, test } from '../fixtures.ts';
import { texts } from '../texts.ts';
import { newCustomer } from './customers.ts';
import { addCard, cardsPanel, dialog, openPayments, tile, toast } from './payments-page.ts';

const en = texts('en_US');

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
        .getByRole('button', { name: t('cards.remove_button') })
        .click();
      await expect(toast(page, t('wallet.cardRemoved'))).toBeVisible();
      await expect(tile(page, '4242')).toBeHidden();
      await expect(cardsPanel(page, t).getByRole('listitem')).toHaveCount(2);
    });
  });

test('after a card is removed the focus stays in its panel, after a refusal it goes back', async ({
  page,
  program,
}) => {
  const { addCard: add } = await newCustomer(page, program);
  await add('success-visa');
  await openPayments(page);
  const bin = page.getByRole('button', { name: 'Remove Visa •••• 4242' });
  await bin.click();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(bin).toBeFocused();
  await bin.click();
  await dialog(page).getByRole('button', { name: 'Remove card' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(cardsPanel(page).getByRole('heading')).toBeFocused();
});

test('a double click on Confirm sends once, however fast the answer is', async ({ page, program }) => {
  const { addCard: add } = await newCustomer(page, program);
  await add('success-visa');
  await add('success-mastercard');
  await openPayments(page);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (['PUT', 'DELETE'].includes(request.method())) sent.push(request.method());
  });
  const confirm = dialog(page).getByRole('button', { name: /^(Confirm|Remove card)$/ });
  await tile(page, '4444').getByRole('button').first().click();
  await confirm.dblclick();
  await expect(dialog(page)).toBeHidden();
  await page.getByRole('button', { name: 'Remove Visa •••• 4242' }).click();
  await confirm.evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await expect(dialog(page)).toBeHidden();
  expect(sent).toEqual(['PUT', 'DELETE']);
});

for (const width of [1280, 390])
  test(`a toast leaves the buttons of the page free at ${width} px`, async ({ page, program }) => {
    await page.setViewportSize({ width, height: 844 });
    await newCustomer(page, program);
    await openPayments(page);
    await addCard(page, '4242 4242 4242 4242');
    const box = await toast(page, en('wallet.cardAdded')).boundingBox();
    expect(box?.y).toBeGreaterThan(422);
    await page.getByRole('button', { name: en('payments.top_up') }).click({ trial: true });
    await page.getByRole('banner').getByRole('button', { name: '@' }).click({ trial: true });
  });

test.describe(() => {
  test.use({ expectedStatuses: [400] });

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
