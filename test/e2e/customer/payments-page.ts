import type { Locator, Page } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { texts } from '../texts.ts';
import { openPage } from './customers.ts';

type Texts = ReturnType<typeof texts>;
const en = texts('en_US');

export const openPayments = (page: Page, t: Texts = en) =>
  openPage(page, '/dashboard/payments', t('payments.title'));
export const dialog = (page: Page) => page.getByRole('dialog');
export const cardsPanel = (page: Page, t: Texts = en) => page.getByRole('region', { name: t('cards.title') });
export const tile = (page: Page, last4: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: `•••• ${last4}` }) });
export const history = (page: Page, t: Texts = en) =>
  page.getByRole('region', { name: t('payment.history') }).locator('tbody tr');
export const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });

export const addCard = async (page: Page, number: string, t: Texts = en) => {
  await page.getByRole('button', { name: t('cards.add') }).click();
  await dialog(page).getByText(t('sandbox.title')).waitFor();
  await dialog(page).getByRole('button', { name: number }).click();
  await dialog(page)
    .getByRole('button', { name: t('cards.save') })
    .click();
  await expect(dialog(page)).toBeHidden();
};

export const openTopUp = async (page: Page, t: Texts = en): Promise<Locator> => {
  await page.getByRole('button', { name: t('payments.top_up') }).click();
  await expect(dialog(page).getByLabel(t('top_up.amount'))).toBeFocused();
  // The cards come later, and without them nothing can be paid.
  await expect(dialog(page).getByLabel(t('top_up.card'), { exact: true })).not.toHaveValue('');
  return dialog(page);
};

export const pay = async (page: Page, amount: string, t: Texts = en): Promise<Locator> => {
  const form = await openTopUp(page, t);
  await form.getByLabel(t('top_up.amount')).fill(amount);
  await form.getByRole('button', { name: t('top_up.button') }).click();
  return form;
};
