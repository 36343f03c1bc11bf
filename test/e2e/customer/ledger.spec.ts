import { readFile } from 'node:fs/promises';
import { expect, test } from '../fixtures.ts';
import { expectNoScroll } from '../sound.ts';
import { texts } from '../texts.ts';
import { newCustomer } from './customers.ts';
import { dialog, history, openPayments, pay } from './payments-page.ts';

const en = texts('en_US');

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
  await page.getByRole('link', { name: 'Ledger', exact: true }).click();
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
  await expect(rows).toHaveCount(2);
  await page
    .getByLabel('From', { exact: true })
    .fill(new Date(Date.now() - 86_400_000).toISOString().slice(0, 10));
  await expect(page).toHaveURL(/dateFrom=/);
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

test('a word of 500 letters and long amounts do not make the page scroll sideways', async ({
  page,
  program,
}) => {
  const { addCard: add, call, accountId } = await newCustomer(page, program);
  const cardId = await add('success-visa');
  await call('POST /cards/:cardId/charge', { params: { cardId }, body: { amount: 10 } });
  const word = 'w'.repeat(500);
  const admin = await page.request.post(`${program.url}/api/account/login`, { data: program.admin });
  const adjusted = await page.request.post(`${program.url}/api/account/${accountId}/adjustment`, {
    data: { amount: -1, reason: word },
    headers: { authorization: (await admin.json()).token },
  });
  expect(adjusted.status()).toBe(200);
  await page.route('**/api/account/*/payments*', async (route) => {
    const response = await route.fetch();
    const { payments, ...rest } = await response.json();
    const failed = { ...payments[0], status: 'FAILED', reason: word, description: word };
    await route.fulfill({ response, json: { ...rest, payments: [failed] } });
  });
  await openPayments(page);
  await history(page).getByText(word).first().waitFor();
  await expectNoScroll(page, 'the history', 360);
  await page.getByRole('link', { name: 'Ledger', exact: true }).click();
  const shown = page.getByRole('table').getByText(word);
  await expectNoScroll(page, 'the ledger', 360);
  await expect(shown).toBeInViewport();
  // The panel beside the list has all of it.
  await shown.click();
  await expect(page.getByRole('dialog').getByText(word)).toBeVisible();
  await expectNoScroll(page, 'an entry', 360);
});
