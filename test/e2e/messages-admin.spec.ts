import type { Page } from '@playwright/test';
import type { Reply } from '../../contract/calls.ts';
import { LANGUAGES } from '../../contract/constants.ts';
import { newCustomer, openPage } from './customers.ts';
import { expect, test, withSession } from './fixtures.ts';
import { expectFit } from './sound.ts';
import { texts } from './texts.ts';

// High enough for the filters to be open.
test.use({ viewport: { width: 1440, height: 900 } });

const PATH = '/dashboard/messages';
const rows = (page: Page) => page.locator('tbody tr');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const address = (page: Page) => JSON.parse(new URL(page.url()).searchParams.get('filters') ?? 'null');
const header = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true });
const summary = (page: Page) => page.getByRole('status').first();
const account = (page: Page, label: string) => page.getByRole('combobox', { name: label, exact: true });

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language, colorScheme: language === 'zh_HK' ? 'dark' : 'light' });
    const t = texts(language);
    const field = (page: Page, label: string) => page.getByLabel(t(label), { exact: true });
    const search = (page: Page) => button(page, t('messages.search_button')).click();

    test('the search stays in reach while the list is read, folded where the window is low', async ({
      page,
      program,
    }) => {
      await withSession(page, program, program.admin);
      await openPage(page, PATH, t('route.messages'));
      await expect(rows(page)).toHaveCount(50);
      const bar = page.getByRole('search', { name: t('messages.search') });
      const status = field(page, 'messages.status');
      for (const { low, ...size } of [
        { width: 1280, height: 720, low: true },
        { width: 1440, height: 900, low: false },
      ]) {
        await page.setViewportSize(size);
        await expect(status).toBeVisible({ visible: !low });
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 2));
        // Right below the page's head, and the list takes most of the window.
        await expect
          .poll(() => bar.evaluate((element) => Math.round(element.getBoundingClientRect().top)))
          .toBe(64);
        expect(await bar.evaluate((element) => element.clientHeight)).toBeLessThan(size.height / 2);
        await expect(button(page, t('messages.search_button'))).toBeInViewport();
        if (low) await button(page, t('messages.filters')).click();
        await expect(status).toBeInViewport();
      }
    });

    test('admins see all accounts, more filters and badges', async ({ page, program }) => {
      await withSession(page, program, program.admin);
      await openPage(page, PATH, t('route.messages'));
      await expect(rows(page)).toHaveCount(50);
      await expect(header(page, t('messages.updated'))).toBeVisible();
      const carried = rows(page).filter({ hasText: 'simulator' }).first();
      await expect(carried).toContainText(t('messages.segments', { count: '' }).trim());
      const chosen = account(page, t('messages.account'));
      await chosen.fill('admin@');
      await page.getByRole('option', { name: program.admin.email }).click();
      await search(page);
      await expect(page.getByText(t('messages.none'))).toBeVisible();
      expect(address(page).accountId).toMatch(/^[\da-f-]{36}$/);
      await page.reload();
      await expect(chosen).toHaveValue(program.admin.email);
      await button(page, t('messages.clear')).click();
      await expect(rows(page)).toHaveCount(50);

      await field(page, 'messages.provider').fill('smpp');
      await page.keyboard.press('Enter');
      await expect(rows(page)).toHaveCount(0);
      await button(page, t('messages.clear')).click();
      await field(page, 'messages.status').selectOption('FAILED_WITH_EXCEPTION');
      await search(page);
      await expect(rows(page)).toHaveCount(1);
      await expectFit(page, "the admin's list");
    });

    test("an admin's list refreshes itself", async ({ page, program }) => {
      await withSession(page, program, program.admin);
      await page.clock.install();
      await openPage(page, PATH, t('route.messages'));
      await expect(rows(page)).toHaveCount(50);
      // A quick choice does not search for a day that the calendar lacks either.
      const day = await field(page, 'messages.date_to').inputValue();
      await field(page, 'messages.date_to').fill('2026-02-30');
      await button(page, t('messages.latest_update')).click();
      await expect(page.getByRole('alert')).toHaveText(t('messages.day_invalid'));
      await expect(rows(page)).toHaveCount(50);
      expect(address(page)).toBeNull();
      await field(page, 'messages.date_to').fill(day);
      await button(page, t('messages.latest_update')).click();
      await expect(header(page, t('messages.updated'))).toHaveAttribute('aria-sort', 'descending');

      await field(page, 'messages.auto_refresh').check();
      await expect.poll(() => address(page).autoRefresh).toBe(true);
      const again = page.waitForResponse(/\/messages\?/);
      await page.clock.fastForward(31_000);
      await again;
      await expect(
        page.getByText(new RegExp(`^${t('messages.refreshed', { total: '[\\d,]+' })}$`)),
      ).toBeVisible();
      await expect(page.getByText(t('messages.last_refreshed', { time: '' }).trim())).toBeVisible();
    });
  });

const MANY = 505;

test('an admin leafs through more than 500 messages of an account that is found by its id', async ({
  page,
  program,
}) => {
  const customer = await newCustomer(page, program);
  const cardId = await customer.addCard('success-visa');
  await customer.call('POST /cards/:cardId/charge', { params: { cardId }, body: { amount: 20 } });
  const body = { phone: '+85261112222', message: 'one of many' };
  for (let sent = 0; sent < MANY; sent += 5)
    await Promise.all(
      Array.from({ length: 5 }, () =>
        customer.call('POST /:channel/send', { params: { channel: 'sms' }, body }),
      ),
    );
  await withSession(page, program, program.admin);
  // As if thousands had arrived after this one.
  await page.route('**/api/accounts', async (route) => {
    const response = await route.fetch();
    const { accounts }: Reply<'GET /accounts'> = await response.json();
    const others = accounts.filter(({ _id }) => _id !== customer.accountId);
    await route.fulfill({ response, json: { accounts: others, more: true } });
  });
  await openPage(page, PATH, 'Messages');
  await expect(page.getByText(/^Only the newest \d+ are offered/)).toBeVisible();
  await account(page, 'Account').fill(` ${customer.accountId.toUpperCase()} `);
  await button(page, 'Search').click();
  await expect(summary(page)).toHaveText(`Showing 1-50, ${MANY} Found`);
  expect(address(page)).toMatchObject({ accountId: customer.accountId });

  const above = page.getByRole('navigation', { name: 'Pages, above the list' });
  const linked = async () =>
    (await above.getByRole('button').allTextContents()).filter((text) => text !== '').map(Number);
  const from = (first: number) => Array.from({ length: 10 }, (_, n) => first + n);
  expect(await linked()).toEqual(from(1));
  await above.getByRole('button', { name: 'Page 7', exact: true }).click();
  await expect(summary(page)).toHaveText(`Showing 301-350, ${MANY} Found`);
  expect(await linked()).toEqual(from(2));
  await above.getByLabel('Last page').click();
  await expect(summary(page)).toHaveText(`Showing 501-${MANY}, ${MANY} Found`);
  await expect(rows(page)).toHaveCount(MANY - 500);
  expect(await linked()).toEqual(from(2));
  await expectFit(page, 'ten links and an account by its id');
  await page.reload();
  await expect(account(page, 'Account')).toHaveValue(customer.accountId);
  await above.getByLabel('First page').click();
  await expect(summary(page)).toHaveText(`Showing 1-50, ${MANY} Found`);
});
