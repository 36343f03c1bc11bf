import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { openPage } from '../customer/customers.ts';
import { expect, test, withSession } from '../fixtures.ts';
import { expectFit } from '../sound.ts';
import { texts } from '../texts.ts';

test.use({ viewport: { width: 1440, height: 900 } });

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language, colorScheme: language === 'zh_HK' ? 'dark' : 'light' });
    const t = texts(language);

    test('from the overview to a phone, and from a figure of the report to its messages', async ({
      page,
      program,
    }) => {
      test.setTimeout(180_000);
      await withSession(page, program, program.admin);
      await openPage(page, '/dashboard/overview', t('overview.title'));
      const down = page.getByRole('listitem').filter({ hasText: t('overview.concern.phones_down') });
      // The simulated phones are heard of within a moment of the start; one never is.
      await expect(down).toContainText('hk-04');
      await expect(page.getByRole('group', { name: t('overview.traffic') }).getByRole('button')).toHaveCount(
        60,
      );
      await expectFit(page, 'overview');
      // Each link opens as many as are counted.
      for (const [concern, title, rows] of [
        ['phones_down', 'phones.title', 'table'],
        ['phones_validity', 'phones.title', 'table'],
        ['phones_topup', 'phones.title', 'table'],
      ] as const) {
        const item = page.getByRole('listitem').filter({ hasText: t(`overview.concern.${concern}`) });
        if ((await item.count()) === 0) continue;
        const counted = Number((await item.innerText()).match(/^\d+/)?.[0]);
        await item.getByRole('link', { name: t('overview.look') }).click();
        await expect(page.getByRole('heading', { level: 1, name: t(title) })).toBeVisible();
        const list = page.getByRole(rows, { name: t(title) });
        await expect(list.locator('tbody').getByRole('row')).toHaveCount(counted);
        await expectFit(page, concern);
        await page.getByRole('link', { name: t('lists.show_all') }).click();
        await expect.poll(() => list.locator('tbody').getByRole('row').count()).toBeGreaterThan(counted);
        await openPage(page, '/dashboard/overview', t('overview.title'));
      }

      await page.getByRole('link', { name: t('report.title'), exact: true }).click();
      await expect(page.getByRole('heading', { level: 1, name: t('report.title') })).toBeVisible();
      await expect(page.getByText('SIM 01').first()).toBeVisible();
      await expect(page.getByRole('cell', { name: new RegExp(t('report.active')) }).first()).toBeVisible();
      // The demo has a week of messages: some day before today has some.
      const day = page.getByRole('textbox', { name: t('report.date') });
      const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
      await day.fill(yesterday);
      await expect(page).toHaveURL(new RegExp(`date=${yesterday}`));
      const table = page.getByRole('table', { name: t('report.status') });
      const link = page.getByRole('link', {
        name: new RegExp(`^${t('send.channel.sms')} · ${t('messages.outbound')}`),
      });
      const sms = table.getByRole('row').filter({ has: link });
      // What was shown stays until the other day's figures are there.
      await expect(sms.getByRole('link').first()).toHaveAttribute('href', new RegExp(yesterday));
      await expectFit(page, 'report');
      const total = await sms.getByRole('cell').nth(1).innerText();
      await sms.getByRole('link').first().click();
      await expect(page.getByRole('heading', { level: 1, name: t('route.messages') })).toBeVisible();
      const count = total.match(/^[\d,]+/)?.[0] ?? 'no figure';
      await expect(page.getByRole('status').filter({ hasText: count }).first()).toBeVisible();
    });
  });
