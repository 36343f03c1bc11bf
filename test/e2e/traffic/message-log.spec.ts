import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { openPage } from '../customer/customers.ts';
import { expect, expectAccessible, test, withSession } from '../fixtures.ts';
import { expectFit } from '../sound.ts';
import { texts } from '../texts.ts';

const rows = (page: Page) => page.locator('tbody tr');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const cell = (page: Page, row: number, column: number) => rows(page).nth(row).locator('td').nth(column);
const CREATED = 0;
const PHONE = 1;
const PRICE = 3;
const STATUS = 4;
const TEST = 5;

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({
      language,
      colorScheme: language === 'zh_HK' ? 'dark' : 'light',
      timezoneId: 'America/New_York',
    });
    const t = texts(language);

    test('the log shows the last days, fifteen at a time, sorted and filtered as asked', async ({
      page,
      program,
    }) => {
      await withSession(page, program, program.customer);
      await openPage(page, '/dashboard/messages', t('route.messages'));
      const asked = page.waitForRequest((request) => request.url().includes('limit=15'));
      await page.getByRole('link', { name: t('log.title') }).click();
      await expect(page).toHaveURL(/\/dashboard\/messages\/log$/);
      const query = Object.fromEntries(new URL((await asked).url()).searchParams);
      expect(query).toMatchObject({ sort: 'createdAt', sortDesc: 'desc', skip: '0' });
      expect(query.status).toBeUndefined();
      const days = Date.parse(query.dateTo ?? '') - Date.parse(query.dateFrom ?? '');
      expect(days / 86_400_000).toBe(8);
      await expect(page.getByLabel(t('messages.date_from'), { exact: true })).toHaveValue(
        query.dateFrom ?? '',
      );
      await expect(rows(page)).toHaveCount(15);
      await expect(page.getByRole('columnheader')).toHaveText(
        ['created_at', 'phone_number', 'message', 'price', 'status', 'test'].map((name) => t(`log.${name}`)),
      );
      await expect(cell(page, 0, CREATED)).toHaveText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      // Which ones are the newest depends on the hour.
      const sent = rows(page)
        .filter({ hasText: '+852', hasNotText: t('messages.inbound') })
        .first()
        .locator('td');
      await expect(sent.nth(PHONE)).toHaveText(/^\+852 \d{8}$/);
      await expect(sent.nth(PRICE)).toHaveText(/^USD \d\.\d{2,6}$/);
      await expect(sent.nth(TEST)).toHaveText(t('log.yes'));
      // Incoming messages cost nothing.
      await expect(
        rows(page)
          .filter({ hasText: t('messages.inbound') })
          .first(),
      ).toContainText('–');
      await expectFit(page, 'the log');

      const pages = page.getByRole('navigation', { name: t('log.pages') });
      await expect(pages.getByLabel(t('messages.first_page'))).toBeDisabled();
      await pages.getByLabel(t('messages.next_page')).click();
      await expect(pages).toContainText(/2/);
      await expect(page.getByRole('status').first()).toContainText('16-30');
      await pages.getByLabel(t('messages.last_page')).click();
      await expect(pages.getByLabel(t('messages.last_page'))).toBeDisabled();
      await page.reload();
      await expect(pages.getByLabel(t('messages.last_page'))).toBeDisabled();
      await pages.getByLabel(t('messages.first_page')).click();
      await expect(page.getByRole('status').first()).toContainText('1-15');

      const price = page.getByRole('columnheader', { name: t('log.price') });
      await price.getByRole('button').click();
      await expect(price).toHaveAttribute('aria-sort', 'ascending');
      await expect(cell(page, 0, PRICE)).toContainText('–');
      await price.getByRole('button').click();
      await expect(price).toHaveAttribute('aria-sort', 'descending');
      await expect(cell(page, 0, PRICE)).toHaveText(/^USD/);

      const status = page.getByLabel(t('log.status'), { exact: true });
      await expect(status.locator('option')).toHaveText([
        t('messages.any'),
        t('messages.status.PENDING'),
        t('messages.status.FAILED'),
        t('messages.status.SUCCESS'),
        t('messages.unknown_outcome'),
      ]);
      await status.selectOption('FAILED');
      await button(page, t('messages.search_button')).click();
      await expect(cell(page, 0, STATUS)).toContainText(t('messages.status.FAILED'));
      await expect(rows(page).filter({ hasNotText: t('messages.status.FAILED') })).toHaveCount(0);
      await page.getByLabel(t('messages.date_to'), { exact: true }).fill('2020-01-01');
      await button(page, t('messages.search_button')).click();
      await expect(page.getByRole('alert')).toHaveText(t('messages.days_backwards'));
      await page.getByLabel(t('messages.date_from'), { exact: true }).fill('2019-12-31');
      await button(page, t('messages.search_button')).click();
      await expect(page.getByText(t('messages.none'))).toBeVisible();
      await expectAccessible(page, 'an empty log');
      await page.goBack();
      await expect(status).toHaveValue('FAILED');
      await expect(cell(page, 0, STATUS)).toContainText(t('messages.status.FAILED'));
    });
  });

test.describe('trouble', () => {
  test.use({ expectedStatuses: [503] });

  test('a log that can not be loaded is an empty table that says so and tries again', async ({
    page,
    program,
  }) => {
    await withSession(page, program, program.admin);
    const search = /\/api\/account\/[^/]+\/messages\?/;
    const fault = { code: 'E_UNAVAILABLE', message: 'Please try again in a moment.', requestId: 'x' };
    await page.route(search, (route) => route.fulfill({ status: 503, json: fault }));
    await openPage(page, '/dashboard/messages/log', 'Message log');
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('The message log could not be loaded.');
    await expect(page.getByRole('columnheader')).toHaveCount(6);
    await expect(rows(page)).toHaveCount(0);
    await expectAccessible(page, 'a log that failed');
    await page.unroute(search);
    const asked = page.waitForRequest(search);
    await alert.getByRole('button', { name: 'Try again' }).click();
    // An admin's own, not everyone's.
    const params = new URL((await asked).url());
    expect(params.pathname).toContain(params.searchParams.get('accountId') ?? 'nobody');
    await expect(alert).toBeHidden();
  });
});
