import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { openPage } from '../customer/customers.ts';
import { expect, expectAccessible, test, withSession } from '../fixtures.ts';
import { expectFit } from '../sound.ts';
import { texts } from '../texts.ts';
import { unfold } from '../unfold.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const PATH = '/dashboard/messages';
const rows = (page: Page) => page.locator('tbody tr');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const address = (page: Page) => JSON.parse(new URL(page.url()).searchParams.get('filters') ?? 'null');
const withFilters = (filters: unknown) =>
  `${PATH}?${new URLSearchParams({ filters: JSON.stringify(filters) })}`;
const header = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true });
const summary = (page: Page) => page.getByRole('status').first();

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({
      language,
      colorScheme: language === 'zh_HK' ? 'dark' : 'light',
      timezoneId: 'America/New_York',
    });
    const t = texts(language);
    const field = (page: Page, label: string) => page.getByLabel(t(label), { exact: true });
    const showing = (first: number, last: number, total: number | string) =>
      t('messages.showing', { first, last, total });
    const search = (page: Page) => button(page, t('messages.search_button')).click();
    const openFilters = (page: Page) => unfold(button(page, t('messages.filters')));

    test('a search is kept in the address, restored on entry, cleared and brought back', async ({
      page,
      program,
    }) => {
      await withSession(page, program, program.customer);
      await openPage(page, PATH, t('route.messages'));
      await expect(rows(page)).toHaveCount(50);
      await openFilters(page);
      await field(page, 'messages.status').selectOption('FAILED');
      await field(page, 'messages.channel').selectOption('sms');
      await search(page);
      await expect(field(page, 'messages.status')).toBeHidden();
      await expect.poll(() => address(page)).toMatchObject({ status: 'FAILED', channel: 'sms' });
      // The rows of the previous search stay until the answer arrives.
      await expect(rows(page).filter({ hasNotText: t('messages.status.FAILED') })).toHaveCount(0);
      await expect(rows(page).first()).toContainText(t('messages.status.FAILED'));
      const found = await rows(page).count();
      // Few rows, because axe checks every one of them.
      await expectAccessible(page, 'the list');
      await expectFit(page, 'the list');
      expect(found).toBeLessThan(50);
      await page.reload();
      await expect(rows(page)).toHaveCount(found);
      await openFilters(page);
      await expect(field(page, 'messages.status')).toHaveValue('FAILED');
      await expect(summary(page)).toHaveText(showing(1, found, found));
      await button(page, t('messages.clear')).click();
      await expect(rows(page)).toHaveCount(50);
      expect(address(page)).toBeNull();
      await button(page, t('messages.undo')).click();
      await expect(rows(page)).toHaveCount(found);
      expect(address(page)).toMatchObject({ status: 'FAILED', channel: 'sms' });
      // The same search again reloads it.
      await search(page);
      await expect(page.getByText(t('messages.refreshed', { total: found }))).toBeVisible();
      // Each filter is named in the bar, and goes by a click.
      await button(page, t('messages.remove_filter', { filter: t('messages.channel') })).click();
      await expect.poll(() => address(page).channel).toBeUndefined();
      expect(address(page)).toMatchObject({ status: 'FAILED' });
    });

    test('a broken search is ignored with a hint, and bad days are told', async ({ page, program }) => {
      await withSession(page, program, program.customer);
      await page.goto(`${PATH}?filters={oops`);
      await expect(page.getByText(t('messages.broken'))).toBeVisible();
      await expect(rows(page)).toHaveCount(50);
      await page.goto(withFilters({ sort: 'updatedAt', channel: 'email' }));
      await expect(page.getByText(t('messages.broken'))).toBeVisible();
      await openFilters(page);
      await expect(field(page, 'messages.channel')).toHaveValue('email');
      await field(page, 'messages.date_from').fill('2026-02-30');
      await search(page);
      await expect(page.getByRole('alert')).toHaveText(t('messages.day_invalid'));
      await expectAccessible(page, 'a bad day');
      // Restored as it was typed, an invalid day is still not searched for.
      await button(page, t('messages.clear')).click();
      await expect(page.getByRole('alert')).toBeHidden();
      await button(page, t('messages.undo')).click();
      await expect(page.getByRole('alert')).toHaveText(t('messages.day_invalid'));
      await expect(rows(page)).toHaveCount(50);
      expect(address(page)).toBeNull();
      await button(page, t('messages.today')).click();
      await expect(page.getByRole('alert')).toBeHidden();
      await expect(page.getByText(t('messages.broken'))).toBeHidden();
    });

    test('pages, sorting, days and the other party', async ({ page, program, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await withSession(page, program, program.customer);
      await openPage(page, PATH, t('route.messages'));
      const pattern = new RegExp(`^${showing(1, 50, '(\\d+)')}$`);
      await expect(summary(page)).toHaveText(pattern);
      const total = Number(pattern.exec((await summary(page).textContent()) ?? '')?.[1]);
      expect(total).toBeGreaterThan(100);
      const above = page.getByRole('navigation', { name: t('messages.pages_above') });
      await above.getByRole('button', { name: t('messages.page', { page: 2 }) }).click();
      await expect(page.getByText(showing(51, 100, total))).toBeVisible();
      const below = page.getByRole('navigation', { name: t('messages.pages_below') });
      await below.getByLabel(t('messages.last_page')).click();
      // The demo of a day grows until its evening.
      await expect(
        page.getByText(showing(Math.floor((total - 1) / 50) * 50 + 1, total, total)),
      ).toBeVisible();
      await expect(above.getByLabel(t('messages.next_page'))).toBeDisabled();
      await page.goBack();
      await expect(page.getByText(showing(51, 100, total))).toBeVisible();

      const created = header(page, t('messages.created'));
      await expect(created).toHaveAttribute('aria-sort', 'descending');
      await expect(page.getByText(t('messages.export_order'))).toHaveCount(0);
      await created.getByRole('button').click();
      await expect(created).toHaveAttribute('aria-sort', 'ascending');
      await expect(page.getByText(showing(1, 50, total))).toBeVisible();
      // The file is in another order than this list now.
      await expect(page.getByText(t('messages.export_order'))).toBeVisible();
      await expect(button(page, t('messages.export'))).toHaveAccessibleDescription(
        t('messages.export_order'),
      );
      // Sent at about half past nine in Hong Kong, whatever the browser's clock.
      await expect(rows(page).first()).toContainText(/\d{4}-\d\d-\d\d 10:19:00/);
      await header(page, t('messages.status')).getByRole('button').click();
      await expect(rows(page).first()).toContainText(t('messages.status.CANCELLED'));
      await expect(header(page, t('messages.updated'))).toHaveCount(0);
      await openFilters(page);
      await expect(field(page, 'messages.account')).toHaveCount(0);

      await field(page, 'messages.contains').fill('驗證碼');
      await page.keyboard.press('Enter');
      await expect(rows(page).first()).toContainText('您的驗證碼為');
      await button(page, t('messages.clear')).click();
      await expect(summary(page)).toHaveText(showing(1, 50, total));
      const party = rows(page).getByTitle(t('messages.filter_party')).last();
      const number = ((await party.textContent()) ?? '').replace('+852 ', '');
      await party.click();
      await openFilters(page);
      await expect(field(page, 'messages.phone_number')).toHaveValue(number);
      await page.keyboard.press('Escape');
      await expect(button(page, t('messages.filters'))).toBeFocused();
      // The rows of the previous search stay until the answer arrives.
      await expect(rows(page).filter({ hasNotText: number })).toHaveCount(0);
      expect(address(page)).toMatchObject({ phoneNumber: number });

      await rows(page)
        .first()
        .getByLabel(t('messages.copy_job', { id: '' }).trim())
        .click();
      await expect(
        page.getByText(new RegExp(`^${t('layout.copied', { text: '[\\da-f-]{36}' })}$`)),
      ).toBeVisible();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      await openFilters(page);
      await field(page, 'messages.id').fill(copied);
      await page.keyboard.press('Enter');
      await expect(rows(page)).toHaveCount(1);
      const link = rows(page).getByRole('link');
      await expect(link).toHaveAttribute('href', `/dashboard/messages/details/${copied}`);
      await link.click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('details.title'));
      await expect(page.locator('dd', { hasText: copied })).toBeVisible();
      await expect(page.getByRole('listitem').filter({ hasText: t('details.step.priced') })).toBeVisible();
      await expectFit(page, 'the details of a message');
      await page.goBack();
      await expect(rows(page)).toHaveCount(1);

      await button(page, t('messages.clear')).click();
      await button(page, t('messages.today')).click();
      const isOneDay = () => address(page) !== null && address(page).dateFrom === address(page).dateTo;
      await expect.poll(isOneDay).toBe(true);
      const today = address(page).dateFrom;
      await button(page, t('messages.day_before')).click();
      await expect.poll(() => address(page).dateFrom < today).toBe(true);
      await button(page, t('messages.day_after')).click();
      await expect.poll(() => address(page).dateFrom).toBe(today);
      await button(page, t('messages.recent')).click();
      await expect(page.getByText(showing(1, 50, total))).toBeVisible();
    });
  });

const ZONE = 'Pacific/Kiritimati';
const DAY_MS = 86_400_000;
const there = (moment: Date | string) =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: ZONE }).format(
    new Date(moment),
  );

test("days and times are the account's own, also where its profile comes late", async ({ page, program }) => {
  await withSession(page, program, program.customer);
  const asked = Promise.withResolvers<void>();
  await page.route('**/api/account/me/profile', async (route) => {
    await asked.promise;
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), timeZone: ZONE } });
  });
  const first = rows(page).first().locator('time').first();
  const isThere = async () =>
    (await first.textContent()) === there((await first.getAttribute('datetime')) ?? '');
  const lastDay = page.getByLabel('End date', { exact: true });
  await openPage(page, `${PATH}/log`, 'Message log');
  await expect(rows(page)).toHaveCount(15);
  expect(await isThere()).toBe(false);
  asked.resolve();
  await expect.poll(isThere).toBe(true);
  await expect(lastDay).toHaveValue(there(new Date(Date.now() + DAY_MS)).slice(0, 10));
  await page.getByRole('link', { name: 'Messages', exact: true }).first().click();
  await expect(rows(page)).toHaveCount(50);
  await expect.poll(isThere).toBe(true);
  await unfold(button(page, 'Filters'));
  await expect(lastDay).toHaveValue(there(new Date(Date.now() + DAY_MS)).slice(0, 10));
  await page.keyboard.press('Escape');
  await rows(page).first().getByRole('link').click();
  const step = page.getByRole('region', { name: 'What became of it' }).locator('time').first();
  await expect(step).toHaveText(there((await step.getAttribute('datetime')) ?? ''));

  // The next visit knows it before the profile is here.
  const askedAgain = Promise.withResolvers<void>();
  await page.route('**/api/account/me/profile', async (route) => {
    await askedAgain.promise;
    await route.fallback();
  });
  await openPage(page, `${PATH}/log`, 'Message log');
  await expect(rows(page)).toHaveCount(15);
  expect(await isThere()).toBe(true);
  askedAgain.resolve();
});
