import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { callApi } from '../../api.ts';
import { expect, newPerson, test } from '../fixtures.ts';
import { expectFit } from '../sound.ts';
import { texts } from '../texts.ts';
import { newCustomer, openPage } from './customers.ts';
import { dialog, openPayments } from './payments-page.ts';

const RED = /rgb\((2[0-9]{2}|1[89]\d), \d{1,2}, \d{1,2}\)/;

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language, colorScheme: language === 'zh_HK' ? 'dark' : 'light' });
    const t = texts(language);

    test('registering says where the mail went, sends it again and has no button that must fail', async ({
      page,
      program,
    }) => {
      const person = { ...newPerson(), email: `walker-${Date.now()}@studio.photography` };
      const mails = async () =>
        (await callApi(program.url, 'GET /mailbox')).reply.mails.filter(({ to }) =>
          to.includes(person.email),
        );
      await page.goto('/register');
      await page.getByLabel(t('guest.email'), { exact: true }).fill(person.email);
      await page.getByLabel(t('guest.password'), { exact: true }).fill(person.password);
      await page.getByLabel(t('register.repeat_password'), { exact: true }).fill(person.password);
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: t('register.button'), exact: true }).click();
      await expect(page.getByRole('status')).toContainText(person.email);
      await expectFit(page, 'what follows the registration');
      await expect.poll(async () => (await mails()).length).toBe(1);
      await page.getByRole('button', { name: t('register.send_again') }).click();
      await expect(page.getByText(t('register.sent_again'))).toBeVisible();
      await expect.poll(async () => (await mails()).length).toBe(2);
      await expect(page.getByRole('main').getByRole('button')).toHaveCount(1);
    });

    test('a new account is led through three steps until they are done', async ({ page, program }) => {
      const { call, addCard, accountId } = await newCustomer(page, program);
      await openPage(page, '/dashboard/profile', t('profile.title'));
      const list = page.getByRole('region', { name: t('start.title') });
      await expect(list.getByRole('link')).toHaveText([
        t('start.top_up'),
        t('start.send'),
        t('start.integrate'),
      ]);
      await expectFit(page, 'the start list');
      await list.getByRole('link', { name: t('start.top_up') }).click();
      await expect(page.getByText(t('sandbox.no_money'))).toBeVisible();
      await page.getByRole('button', { name: t('payments.top_up') }).click();
      await expect(dialog(page)).toContainText(t('top_up.no_cards'));
      await expect(dialog(page).getByText(t('sandbox.no_money'))).toBeVisible();
      await dialog(page)
        .getByRole('button', { name: t('cards.add') })
        .click();
      await expect(dialog(page).getByLabel(t('sandbox.number'), { exact: true })).toBeFocused();

      const cardId = await addCard('success-visa');
      await call('POST /cards/:cardId/charge', { params: { cardId }, body: { amount: 20 } });
      await call('POST /:channel/send', {
        params: { channel: 'sms' },
        body: { phone: '6111 2222', message: 'Hello' },
      });
      // It counts once it has gone out.
      const glance = () => call('GET /account/:accountId/glance', { params: { accountId } });
      await expect.poll(async () => (await glance()).sent).toBe(1);
      await openPage(page, '/dashboard/profile', t('profile.title'));
      await expect(list.locator('[data-done]')).toHaveCount(2);
      await list.getByRole('button', { name: t('start.hide') }).click();
      await expect(list).toHaveCount(0);
      await page.reload();
      await expect(page.getByRole('region', { name: t('glance.title', { days: 30 }) })).toBeVisible();
      await expect(list).toHaveCount(0);
    });

    test('what removes something is red', async ({ page, program }) => {
      const { addCard } = await newCustomer(page, program);
      await addCard('success-visa');
      await openPayments(page, t);
      await page.getByRole('button', { name: t('cards.remove', { card: 'Visa •••• 4242' }) }).click();
      await expect(dialog(page).getByRole('button', { name: t('layout.cancel') })).toBeFocused();
      const remove = dialog(page).getByRole('button', { name: t('cards.remove_button'), exact: true });
      await expect(remove).toHaveCSS('background-color', RED);
    });

    test.describe(() => {
      test.use({ expectedStatuses: [503] });

      test('one click tries everything again that had failed', async ({ page, program }) => {
        await newCustomer(page, program);
        await page.route('**/api/{cards,account/*/payments*}', (route) => route.fulfill({ status: 503 }));
        await openPayments(page, t);
        const again = page.getByRole('button', { name: t('layout.try_again') });
        await expect(again).toHaveCount(2);
        await page.unroute('**/api/{cards,account/*/payments*}');
        await again.first().click();
        await expect(again).toHaveCount(0);
        await expect(page.getByText(t('cards.none'))).toBeVisible();
      });
    });

    test('a list follows what is PENDING, and comes up to date when its tab comes back', async ({
      page,
      program,
    }) => {
      const { call, addCard } = await newCustomer(page, program);
      const cardId = await addCard('success-visa');
      await call('POST /cards/:cardId/charge', { params: { cardId }, body: { amount: 20 } });
      const send = (phone: string) =>
        call('POST /:channel/send', { params: { channel: 'sms' }, body: { phone, message: 'Hello' } });
      const comeBack = () =>
        page.evaluate(() => {
          document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
        });
      await openPage(page, '/dashboard/messages', t('route.messages'));
      const list = page.getByRole('region', { name: t('route.messages') });
      // While the list is still being loaded, coming back loads nothing.
      await expect(list.getByText(t('messages.none'))).toBeVisible();
      // Its answer takes some seconds: the page must be there before.
      await send('6111 0005');
      await comeBack();
      await expect(list.getByText(t('messages.status.PENDING'))).toBeVisible();
      await expect(list.getByText(t('messages.status.SUCCESS'))).toBeVisible({ timeout: 60_000 });
      await send('6111 2222');
      await comeBack();
      const either = new RegExp(`^(${t('messages.status.PENDING')}|${t('messages.status.SUCCESS')})$`);
      await expect(list.getByText(either)).toHaveCount(2);
    });
  });
