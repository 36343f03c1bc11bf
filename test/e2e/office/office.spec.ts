import { randomBytes, randomInt } from 'node:crypto';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { openPage } from '../customer/customers.ts';
import { toast } from '../customer/payments-page.ts';
import { expect, test, withSession } from '../fixtures.ts';
import { expectFit } from '../sound.ts';
import { texts } from '../texts.ts';

test.use({ viewport: { width: 1440, height: 900 } });

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language, colorScheme: language === 'zh_HK' ? 'dark' : 'light' });
    const t = texts(language);

    test('an admin sets a price and ends it, and says whose network a number is in', async ({
      page,
      program,
    }) => {
      test.setTimeout(120_000);
      const network = `Test ${randomBytes(4).toString('hex')}`;
      const prefix = `+85299${randomInt(10_000, 100_000)}`;
      const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
      const button = (name: string) => page.getByRole('button', { name, exact: true });
      const row = page.getByRole('row').filter({ hasText: network });
      await withSession(page, program, program.admin);

      await openPage(page, '/dashboard/prices', t('prices.title'));
      await button(t('prices.set')).click();
      const form = dialog(t('prices.set'));
      await form.getByLabel(t('messages.country'), { exact: true }).fill('hk');
      await form.getByLabel(t('prices.network'), { exact: true }).fill(network);
      await form.getByLabel(t('prices.unit_price'), { exact: true }).fill('0.0777');
      await expectFit(page, 'the form of a price');
      await form.getByRole('button', { name: t('prices.set'), exact: true }).click();
      const question = dialog(t('prices.set_title'));
      await expect(question).toContainText(`${network}: 0.0777`);
      await question.getByRole('button', { name: t('prices.set'), exact: true }).click();
      await expect(toast(page, t('prices.was_set'))).toBeVisible();
      await expect(row).toContainText('0.0777');
      await row.click();
      await button(t('prices.end_now')).click();
      await dialog(t('prices.end_now'))
        .getByRole('button', { name: t('prices.end_now'), exact: true })
        .click();
      await expect(toast(page, t('prices.was_ended'))).toBeVisible();
      await expect(row).toHaveCount(0);

      await openPage(page, '/dashboard/lanes', t('lanes.title'));
      await button(t('carriers.edit')).click();
      const lines = dialog(t('carriers.edit')).getByLabel(t('carriers.title'), { exact: true });
      await lines.fill(`${await lines.inputValue()}\n${prefix} ${network}`);
      await dialog(t('carriers.edit'))
        .getByRole('button', { name: t('contacts.save'), exact: true })
        .click();
      await expect(toast(page, t('carriers.saved'))).toBeVisible();
      await expect(row).toContainText(prefix);
      await expectFit(page, 'the page of lanes');

      // Other tests leave some, and nothing removes them.
      await page.route('**/api/admin/unassigned*', (route) =>
        route.fulfill({ json: { messages: [], more: false } }),
      );
      await openPage(page, '/dashboard/unassigned', t('unassigned.title'));
      await expect(page.getByText(t('unassigned.none'))).toBeVisible();
      await expectFit(page, 'unassigned messages');
    });
  });
