import { LANGUAGES } from '../../contract/constants.ts';
import { openPage } from './customers.ts';
import { expect, test, withSession } from './fixtures.ts';
import { expectFit } from './sound.ts';
import { texts } from './texts.ts';

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
      await down.getByRole('link', { name: t('overview.look') }).click();
      await expect(page.getByRole('heading', { level: 1, name: t('phones.title') })).toBeVisible();

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
