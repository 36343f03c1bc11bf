import type { Locator, Page } from '@playwright/test';
import type { Reply } from '../../../contract/calls.ts';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { demoAccountId, newCustomer, openPage } from '../customer/customers.ts';
import { expect, test, withSession } from '../fixtures.ts';
import { expectFit } from '../sound.ts';
import { texts } from '../texts.ts';
import { unfold } from '../unfold.ts';

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
    const openFilters = (page: Page) => unfold(button(page, t('messages.filters')));

    test('search and headings stay in reach while the list is read', async ({ page, program }) => {
      await withSession(page, program, program.admin);
      await openPage(page, PATH, t('route.messages'));
      await expect(rows(page)).toHaveCount(50);
      const bar = page.getByRole('search', { name: t('messages.search') });
      const topOf = (selector: Locator) =>
        selector.evaluate((element) => Math.round(element.getBoundingClientRect().top));
      for (const size of [
        { width: 1440, height: 900 },
        { width: 1280, height: 720 },
        { width: 390, height: 844 },
      ]) {
        await page.setViewportSize(size);
        await expect.poll(async () => (await bar.boundingBox())?.height).toBeLessThanOrEqual(56);
        await page.evaluate(() => window.scrollTo({ top: 1_000, behavior: 'instant' }));
        // Right below the page's head, and the headings right below it.
        await expect.poll(() => topOf(bar)).toBe(64);
        await expect.poll(() => topOf(page.locator('thead'))).toBe(120);
        await expect(button(page, t('messages.search_button'))).toBeInViewport();
        await openFilters(page);
        await expect(field(page, 'messages.status')).toBeInViewport();
        await page.keyboard.press('Escape');
      }
    });

    test('a row opens beside the list, and the keys go from row to row', async ({ page, program }) => {
      await withSession(page, program, program.admin);
      // Of an account to which nothing comes meanwhile, so that no row moves.
      const filters = JSON.stringify({ accountId: await demoAccountId(program) });
      await openPage(page, `${PATH}?${new URLSearchParams({ filters })}`, t('route.messages'));
      await expect(rows(page)).toHaveCount(50);
      const inView = () =>
        rows(page).evaluateAll(
          (all) => all.filter((row) => row.getBoundingClientRect().bottom <= window.innerHeight).length,
        );
      await expect.poll(inView).toBeGreaterThanOrEqual(12);
      await rows(page).nth(1).locator('time').first().click();
      const panel = page.getByRole('dialog');
      await expect(panel).toBeFocused();
      await expect(panel).toContainText(t('messages.segments', { count: '' }).trim());
      await expect(panel).toContainText('simulator');
      await expect(panel.getByRole('listitem').first()).toBeVisible();
      const first = await panel.getByRole('heading').first().textContent();
      await page.keyboard.press('j');
      await expect(rows(page).nth(2)).toHaveAttribute('aria-current', 'true');
      await expect(panel.getByRole('heading').first()).not.toHaveText(first ?? '');
      await page.keyboard.press('k');
      await expect(panel.getByRole('heading').first()).toHaveText(first ?? '');
      await expectFit(page, 'a message beside the list');
      await page.keyboard.press('Escape');
      await expect(panel).toBeHidden();
      await expect(rows(page).nth(1)).toBeFocused();
      await page.keyboard.press('ArrowDown');
      await expect(rows(page).nth(2)).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(panel).toBeVisible();
      await expect(rows(page).nth(2)).toHaveAttribute('aria-current', 'true');
      await page.keyboard.press('Escape');

      // Rows are selected, all at once too, and columns are chosen and remembered.
      const boxes = rows(page).getByRole('checkbox');
      await boxes.first().check();
      const selection = page.getByRole('region', { name: t('lists.selection') });
      await expect(selection).toContainText(t('lists.selected', { count: 1 }));
      await selection.getByRole('button', { name: t('lists.select_all') }).click();
      await expect(selection).toContainText(t('lists.selected', { count: 50 }));
      await selection.getByRole('button', { name: t('lists.clear') }).click();
      await expect(selection).toBeHidden();
      await unfold(button(page, t('lists.columns')));
      await page.getByLabel(t('send.segments'), { exact: true }).check();
      await page.reload();
      await expect(header(page, t('send.segments'))).toBeVisible();
    });

    test('admins see all accounts and more filters', async ({ page, program }) => {
      const { email } = await newCustomer(page, program);
      await withSession(page, program, program.admin);
      await openPage(page, PATH, t('route.messages'));
      await expect(rows(page)).toHaveCount(50);
      await expect(header(page, t('messages.updated'))).toBeVisible();
      await openFilters(page);
      const chosen = account(page, t('messages.account'));
      await chosen.fill(email.slice(0, -'example.com'.length));
      await page.getByRole('option', { name: email }).click();
      await search(page);
      await expect(page.getByText(t('messages.none'))).toBeVisible();
      expect(address(page).accountId).toMatch(/^[\da-f-]{36}$/);
      await page.reload();
      await openFilters(page);
      await expect(chosen).toHaveValue(email);
      await button(page, t('messages.clear')).click();
      await expect(rows(page)).toHaveCount(50);

      await field(page, 'messages.provider').fill('smpp');
      await page.keyboard.press('Enter');
      await expect(rows(page)).toHaveCount(0);
      await button(page, t('messages.clear')).click();
      await openFilters(page);
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
      await openFilters(page);
      const day = await field(page, 'messages.date_to').inputValue();
      await field(page, 'messages.date_to').fill('2026-02-30');
      await button(page, t('messages.latest_update')).click();
      await expect(page.getByRole('alert')).toHaveText(t('messages.day_invalid'));
      await expect(rows(page)).toHaveCount(50);
      expect(address(page)).toBeNull();
      await field(page, 'messages.date_to').fill(day);
      await button(page, t('messages.latest_update')).click();
      await expect(header(page, t('messages.updated'))).toHaveAttribute('aria-sort', 'descending');

      // Ticked once the address says so, which `check` would not wait for.
      await field(page, 'messages.auto_refresh').click();
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
  const messages = Array.from({ length: MANY }, () => ({ phone: '+85261112222', message: 'one of many' }));
  await customer.call('POST /:channel/sendMany', {
    params: { channel: 'sms' },
    body: { messages, allOrNothing: true },
  });
  await withSession(page, program, program.admin);
  // As if thousands had arrived after this one.
  await page.route('**/api/accounts', async (route) => {
    const response = await route.fetch();
    const { accounts }: Reply<'GET /accounts'> = await response.json();
    const others = accounts.filter(({ _id }) => _id !== customer.accountId);
    await route.fulfill({ response, json: { accounts: others, more: true } });
  });
  await openPage(page, PATH, 'Messages');
  await unfold(button(page, 'Filters'));
  await expect(page.getByText(/^Only the newest \d+ are offered/)).toBeVisible();
  await account(page, 'Account').fill(` ${customer.accountId.toUpperCase()} `);
  await button(page, 'Search').click();
  await expect(summary(page)).toHaveText(`Showing 1-50, ${MANY} Found`);
  expect(address(page)).toMatchObject({ accountId: customer.accountId });

  const above = page.getByRole('navigation', { name: 'Pages, above the list' });
  const linked = async () =>
    (await above.getByRole('button').allTextContents()).filter((text) => text !== '').map(Number);
  const from = (first: number) => Array.from({ length: 10 }, (_, n) => first + n);
  await expect.poll(linked).toEqual(from(1));
  await above.getByRole('button', { name: 'Page 7', exact: true }).click();
  await expect(summary(page)).toHaveText(`Showing 301-350, ${MANY} Found`);
  await expect.poll(linked).toEqual(from(2));
  await above.getByLabel('Last page').click();
  await expect(summary(page)).toHaveText(`Showing 501-${MANY}, ${MANY} Found`);
  await expect(rows(page)).toHaveCount(MANY - 500);
  await expect.poll(linked).toEqual(from(2));
  await expectFit(page, 'ten links and an account by its id');
  await page.reload();
  await unfold(button(page, 'Filters'));
  await expect(account(page, 'Account')).toHaveValue(customer.accountId);
  await page.keyboard.press('Escape');
  await above.getByLabel('First page').click();
  await expect(summary(page)).toHaveText(`Showing 1-50, ${MANY} Found`);
});
