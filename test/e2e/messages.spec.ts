import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../contract/constants.ts';
import { openPage } from './customers.ts';
import { expect, expectAccessible, test, withSession } from './fixtures.ts';
import { expectFit } from './sound.ts';
import { texts } from './texts.ts';

const PATH = '/dashboard/messages';
const rows = (page: Page) => page.locator('tbody tr');
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const address = (page: Page) => JSON.parse(new URL(page.url()).searchParams.get('filters') ?? 'null');
const withFilters = (filters: unknown) =>
  `${PATH}?${new URLSearchParams({ filters: JSON.stringify(filters) })}`;

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language, colorScheme: language === 'zh_HK' ? 'dark' : 'light' });
    const t = texts(language);
    const search = (page: Page) => button(page, t('messages.search_button')).click();

    test('a search is kept in the address, restored on entry, cleared and brought back', async ({
      page,
      program,
    }) => {
      await withSession(page, program, program.customer);
      await openPage(page, PATH, t('route.messages'));
      await expect(rows(page)).toHaveCount(50);
      await page.getByLabel(t('messages.status'), { exact: true }).selectOption('FAILED');
      await page.getByLabel(t('messages.channel'), { exact: true }).selectOption('sms');
      await search(page);
      await expect(rows(page).first()).toContainText('FAILED');
      expect(address(page)).toMatchObject({ status: 'FAILED', channel: 'sms' });
      const found = await rows(page).count();
      // Few rows, since axe looks at every one of them.
      await expectAccessible(page, 'the list');
      await expectFit(page, 'the list');
      expect(found).toBeLessThan(50);
      await page.reload();
      await expect(rows(page)).toHaveCount(found);
      await expect(page.getByLabel(t('messages.status'), { exact: true })).toHaveValue('FAILED');
      await expect(page.getByRole('status').first()).toHaveText(
        t('messages.showing', { first: 1, last: found, total: found }),
      );
      await button(page, t('messages.clear')).click();
      await expect(rows(page)).toHaveCount(50);
      expect(address(page)).toBeNull();
      await button(page, t('messages.undo')).click();
      await expect(rows(page)).toHaveCount(found);
      expect(address(page)).toMatchObject({ status: 'FAILED', channel: 'sms' });
      // The same search again reads it anew.
      await search(page);
      await expect(page.getByText(t('messages.refreshed', { total: found }))).toBeVisible();
    });

    test('a broken search is ignored with a hint, and bad days are told', async ({ page, program }) => {
      await withSession(page, program, program.customer);
      await page.goto(`${PATH}?filters={oops`);
      await expect(page.getByText(t('messages.broken'))).toBeVisible();
      await expect(rows(page)).toHaveCount(50);
      await page.goto(withFilters({ sort: 'updatedAt', channel: 'email' }));
      await expect(page.getByText(t('messages.broken'))).toBeVisible();
      await expect(page.getByLabel(t('messages.channel'), { exact: true })).toHaveValue('email');
      await page.getByLabel(t('messages.date_from'), { exact: true }).fill('2026-02-30');
      await search(page);
      await expect(page.getByRole('alert')).toHaveText(t('messages.day_invalid'));
      await expectAccessible(page, 'a bad day');
      await button(page, t('messages.today')).click();
      await expect(page.getByRole('alert')).toBeHidden();
      await expect(page.getByText(t('messages.broken'))).toBeHidden();
    });
  });

test.describe('elsewhere in the world', () => {
  test.use({ timezoneId: 'America/New_York' });

  test('pages, sorting, days and the other party', async ({ page, program, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await withSession(page, program, program.customer);
    await openPage(page, PATH, 'Messages');
    await expect(page.getByRole('status').first()).toHaveText(/^Showing 1-50, \d+ Found$/);
    const total = Number(
      /(\d+) Found/.exec((await page.getByRole('status').first().textContent()) ?? '')?.[1],
    );
    expect(total).toBeGreaterThan(100);
    const above = page.getByRole('navigation', { name: 'Pages, above the list' });
    await above.getByRole('button', { name: 'Page 2' }).click();
    await expect(page.getByText(`Showing 51-100, ${total} Found`)).toBeVisible();
    await page.getByRole('navigation', { name: 'Pages, below the list' }).getByLabel('Last page').click();
    await expect(page.getByText(`Showing 101-${total}, ${total} Found`)).toBeVisible();
    await expect(above.getByLabel('Next page')).toBeDisabled();
    await page.goBack();
    await expect(page.getByText(`Showing 51-100, ${total} Found`)).toBeVisible();

    const created = page.getByRole('columnheader', { name: 'Created' });
    await expect(created).toHaveAttribute('aria-sort', 'descending');
    await created.getByRole('button').click();
    await expect(created).toHaveAttribute('aria-sort', 'ascending');
    await expect(page.getByText(`Showing 1-50, ${total} Found`)).toBeVisible();
    // Sent at half past nine or so in Hong Kong, whatever the browser's clock.
    await expect(rows(page).first()).toContainText(/\d{4}-\d\d-\d\d 10:19:00/);
    await page.getByRole('columnheader', { name: 'Status' }).getByRole('button').click();
    await expect(rows(page).first()).toContainText('CANCELLED');
    await expect(page.getByRole('columnheader', { name: 'Updated' })).toHaveCount(0);
    await expect(page.getByLabel('Account', { exact: true })).toHaveCount(0);

    await page.getByLabel('Message contains').fill('驗證碼');
    await page.keyboard.press('Enter');
    await expect(rows(page).first()).toContainText('您的驗證碼為');
    await button(page, 'Clear').click();
    const party = rows(page).getByTitle('Show only messages with this party').last();
    const number = ((await party.textContent()) ?? '').replace('+852 ', '');
    await party.click();
    await expect(page.getByLabel('Phone number')).toHaveValue(number);
    // The rows of the search before stay until the answer comes.
    await expect(rows(page).filter({ hasNotText: number })).toHaveCount(0);
    expect(address(page)).toMatchObject({ phoneNumber: number });

    await rows(page).first().getByText('Job ID').click();
    await expect(page.getByText(/^Copied: [\da-f-]{36}$/)).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    await page.getByLabel('Message ID', { exact: true }).fill(copied);
    await page.keyboard.press('Enter');
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page).getByRole('link')).toHaveAttribute(
      'href',
      `/dashboard/messages/details/${copied}`,
    );
    await rows(page).getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1, name: 'Message', exact: true })).toBeVisible();
    await expect(page.locator('dd', { hasText: copied })).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'Priced and paid' })).toBeVisible();
    await expectFit(page, 'the details of a message');
    await page.goBack();
    await expect(rows(page)).toHaveCount(1);

    await button(page, 'Clear').click();
    await button(page, 'Today').click();
    await expect.poll(() => address(page)?.dateFrom).toBe(address(page).dateTo);
    const today = address(page).dateFrom;
    await button(page, 'Day -1').click();
    await expect.poll(() => address(page).dateFrom < today).toBe(true);
    await button(page, 'Day +1').click();
    await expect.poll(() => address(page).dateFrom).toBe(today);
    await button(page, 'Recent').click();
    await expect(page.getByText(`Showing 1-50, ${total} Found`)).toBeVisible();
  });
});

test.describe('trouble', () => {
  test.use({ expectedStatuses: [503] });

  test('a list that does not load is empty, says so and can be tried again', async ({ page, program }) => {
    await withSession(page, program, program.customer);
    const list = '**/api/account/*/messages?*';
    await page.route(list, (route) =>
      route.fulfill({ status: 503, json: { code: 'E_INTERNAL', message: 'Not now.', requestId: 'r' } }),
    );
    await openPage(page, PATH, 'Messages');
    await expect(page.getByText('The messages could not be loaded.')).toBeVisible();
    await expect(page.getByText('Showing 0-0, 0 Found')).toBeVisible();
    await expect(rows(page)).toHaveCount(0);
    await expectAccessible(page, 'a list that did not load');
    await page.unroute(list);
    await button(page, 'Try again').click();
    await expect(rows(page)).toHaveCount(50);
    await page.goto(withFilters({ message: 'nobody ever wrote this' }));
    await expect(page.getByText(/^No messages were found/)).toBeVisible();
    await expectAccessible(page, 'an empty list');
    // An address from when there were more.
    await page.goto(withFilters({ status: 'FAILED', page: 40 }));
    await expect(page.getByText(/^Showing 1-\d+, \d+ Found$/)).toBeVisible();
  });
});

test('admins see all accounts, more filters and badges', async ({ page, program }) => {
  await withSession(page, program, program.admin);
  await openPage(page, PATH, 'Messages');
  await expect(rows(page)).toHaveCount(50);
  await expect(page.getByRole('columnheader', { name: 'Updated' })).toBeVisible();
  await expect(rows(page).first()).toContainText('simulator');
  await expect(rows(page).first()).toContainText('Segments:');
  const account = page.getByRole('combobox', { name: 'Account' });
  await account.fill('admin@');
  await page.getByRole('option', { name: program.admin.email }).click();
  await button(page, 'Search').click();
  await expect(page.getByText(/^No messages were found/)).toBeVisible();
  expect(address(page).accountId).toMatch(/^[\da-f-]{36}$/);
  await page.reload();
  await expect(account).toHaveValue(program.admin.email);
  await button(page, 'Clear').click();
  await expect(rows(page)).toHaveCount(50);

  await page.getByLabel('SMS provider').fill('smpp');
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(0);
  await button(page, 'Clear').click();
  await page.getByLabel('Status', { exact: true }).selectOption('FAILED_WITH_EXCEPTION');
  await button(page, 'Search').click();
  await expect(rows(page)).toHaveCount(1);
  await expectFit(page, "the admin's list");
});

test("an admin's list refreshes itself", async ({ page, program }) => {
  await withSession(page, program, program.admin);
  await page.clock.install();
  await openPage(page, PATH, 'Messages');
  await expect(rows(page)).toHaveCount(50);
  await button(page, 'Latest update').click();
  await expect(page.getByRole('columnheader', { name: 'Updated' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );

  await page.getByLabel('Auto refresh every 30 s').check();
  await expect.poll(() => address(page).autoRefresh).toBe(true);
  const again = page.waitForResponse(/\/messages\?/);
  await page.clock.fastForward(31_000);
  await again;
  await expect(page.getByText(/^refreshed, \d+ found$/)).toBeVisible();
  await expect(page.getByText(/^Last refreshed /)).toBeVisible();
});
