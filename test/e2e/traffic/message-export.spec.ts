import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { demoAccountId, openPage } from '../customer/customers.ts';
import { expect, expectAccessible, test, withSession } from '../fixtures.ts';
import { expectFit } from '../sound.ts';
import { texts } from '../texts.ts';
import { unfold } from '../unfold.ts';
import { openHalfway } from './halfway.ts';

// High enough for the filters to be open.
test.use({ viewport: { width: 1440, height: 900 } });

const PATH = '/dashboard/messages';
const FILE = /\/messages\.csv/;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const found = async (page: Page, showing: RegExp): Promise<number> => {
  const status = page.getByRole('status').first();
  await expect(status).toHaveText(showing);
  return Number(showing.exec((await status.textContent()) ?? '')?.[1]);
};

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language, colorScheme: language === 'zh_HK' ? 'dark' : 'light' });
    const t = texts(language);
    const showing = new RegExp(t('messages.showing', { first: '\\d+', last: '\\d+', total: '(\\d+)' }));
    const progress = (page: Page) => page.getByRole('progressbar', { name: t('messages.exporting') });

    test('the search becomes a file, with progress on the way', async ({ page, program }) => {
      await withSession(page, program, program.customer);
      await openPage(page, PATH, t('route.messages'));
      // Few rows, because axe checks every one of them.
      await unfold(button(page, t('messages.filters')));
      await page.getByLabel(t('messages.channel'), { exact: true }).selectOption('email');
      await button(page, t('messages.search_button')).click();
      await expect(page).toHaveURL(/email/);
      // The rows of the previous search, and their number, stay until the answer arrives.
      await expect(page.locator('tbody tr').filter({ hasNotText: '@' })).toHaveCount(0);
      const total = await found(page, showing);
      const halfway = await openHalfway(page, program.url, FILE);
      // A second click changes nothing.
      await button(page, t('messages.export')).dblclick();
      await expect(progress(page)).toBeVisible();
      const rows = page.getByText(
        new RegExp(`^${t('messages.export_rows', { rows: '\\d+', total: String(total) })}$`),
      );
      await expect(rows).toBeVisible();
      await expect.poll(async () => Number(await progress(page).getAttribute('value'))).toBeGreaterThan(20);
      expect(Number(await progress(page).getAttribute('value'))).toBeLessThan(80);
      await expectFit(page, 'an export under way');
      const file = page.waitForEvent('download');
      halfway.goOn();
      const kept = await file;
      expect(kept.suggestedFilename()).toMatch(/^messages-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
      const content = await readFile(await kept.path(), 'utf8');
      const lines: Record<string, string>[] = parse(content, { bom: true, columns: true });
      expect(lines).toHaveLength(total);
      expect(new Set(lines.map((line) => line[t('message.csv.channel')]))).toEqual(new Set(['email']));
      await expect(page.getByText(t('messages.exported', { rows: total }))).toBeVisible();
      await expect(progress(page)).toBeHidden();
      halfway.close();
    });

    test('cancelling keeps nothing, and leaves the server alone', async ({ page, program }) => {
      await withSession(page, program, program.customer);
      await openPage(page, PATH, t('route.messages'));
      await found(page, showing);
      const downloads: unknown[] = [];
      page.on('download', (download) => downloads.push(download));
      const halfway = await openHalfway(page, program.url, FILE);
      await button(page, t('messages.export')).click();
      await expect(progress(page)).toBeVisible();
      await halfway.isHalfway();
      await page.keyboard.press('Tab');
      await expect(button(page, t('messages.export_cancel'))).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(page.getByText(t('messages.export_cancelled'))).toBeVisible();
      await halfway.left();
      await expect(progress(page)).toBeHidden();
      await expect(button(page, t('messages.export'))).toBeFocused();
      halfway.close();
      expect(downloads).toEqual([]);
    });
  });

test.describe('trouble', () => {
  test('a file that breaks off is not kept, and can be asked for again', async ({
    page,
    program,
    complaints,
  }) => {
    const t = texts('en_US');
    await withSession(page, program, program.admin);
    // Few rows, because axe checks every one of them, and none that another test has sent.
    const filters = { channel: 'email', accountId: await demoAccountId(program) };
    const search = new URLSearchParams({ filters: JSON.stringify(filters) });
    await openPage(page, `${PATH}?${search}`, t('route.messages'));
    const total = await found(page, /Showing \d+-\d+, (\d+) Found/);
    const halfway = await openHalfway(page, program.url, FILE);
    await button(page, t('messages.export')).click();
    await expect(page.getByRole('progressbar', { name: t('messages.exporting') })).toBeVisible();
    await halfway.isHalfway();
    halfway.breakOff();
    const alert = page.getByRole('alert').filter({ hasText: t('messages.export_failed') });
    await expect(alert).toBeVisible();
    await expectAccessible(page, 'an export that failed');
    halfway.close();
    await page.unroute(FILE);
    const file = page.waitForEvent('download');
    await alert.getByRole('button').click();
    const lines: Record<string, string>[] = parse(await readFile(await (await file).path(), 'utf8'), {
      bom: true,
      columns: true,
    });
    expect(lines).toHaveLength(total);
    expect(lines[0]?.['Account ID']).toMatch(/^[\da-f-]{36}$/);
    await expect(alert).toBeHidden();
    // The browser reports the broken connection.
    expect(complaints.splice(0).join()).toMatch(/^console error: Failed to load resource: net::ERR_/);
  });
});
