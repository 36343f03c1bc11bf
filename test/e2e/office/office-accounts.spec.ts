import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { callApi, mailedToken } from '../../api.ts';
import { asAdmin, newCustomer } from '../customer/customers.ts';
import { expectToast } from '../expect-toast.ts';
import { expect, newPerson, test } from '../fixtures.ts';
import { texts } from '../texts.ts';

test.use({ viewport: { width: 1440, height: 900 } });

for (const language of LANGUAGES)
  test.describe(language, () => {
    // More is taken away than there is, and an address that is none.
    test.use({ language, expectedStatuses: [400, 402] });
    const t = texts(language);

    test('an admin adjusts a balance, sets limits, gives a sender, invites somebody and mails a link again', async ({
      page,
      program,
    }) => {
      test.setTimeout(240_000);
      const { email, accountId, call } = await newCustomer(page, program);
      const forgetful = newPerson();
      const registering = callApi(program.url, 'POST /account/register', { body: forgetful });
      await asAdmin(page, program);
      const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
      const toasted = (label: string, params = {}) => expectToast(page, t, t(label, params));
      const accounts = page.getByRole('table', { name: t('customers.title'), exact: true });
      const rowOf = (person: string) => accounts.getByRole('row').filter({ hasText: person });
      const open = async (person: string) => {
        await page.goto(`/dashboard/accounts?keyword=${encodeURIComponent(person)}`);
        await rowOf(person).click();
        return dialog(person);
      };
      const panel = await open(email);
      const row = rowOf(email);
      const act = (label: string) => panel.getByRole('button', { name: t(label), exact: true }).click();
      const confirm = (label: string) =>
        dialog(t(label))
          .getByRole('button', { name: t(label), exact: true })
          .click();

      await act('customers.adjust');
      const adjusting = dialog(t('customers.adjust'));
      const amount = adjusting.getByLabel(t('customers.adjust_amount'), { exact: true });
      await expect(adjusting).toContainText(t('customers.adjust_text', { email, balance: '0.00' }));
      await confirm('customers.adjust');
      await expect(adjusting.getByText(t('payments_desk.amount_missing'))).toBeVisible();
      await expect(adjusting.getByText(t('payments_desk.reason_missing'))).toBeVisible();
      await amount.fill('-3');
      await adjusting.getByLabel(t('payment.reason'), { exact: true }).fill('an apology');
      await confirm('customers.adjust');
      await expect(amount).toHaveAttribute('aria-invalid', 'true');
      await amount.fill('12.50');
      await confirm('customers.adjust');
      await toasted('customers.adjusted');
      await expect(adjusting).toBeHidden();
      await expect(row).toContainText('12.50');
      expect((await call('GET /account/me/profile')).balance).toBe(12.5);

      await act('customers.limits');
      const limiting = dialog(t('customers.limits'));
      const spend = limiting.getByLabel(`${t('customers.limit')} (USD)`, { exact: true });
      await expect(limiting).toContainText(t('customers.limits_text'));
      await spend.fill('much');
      await confirm('customers.limits');
      await expect(limiting.getByText(t('customers.number_invalid'))).toBeVisible();
      await spend.fill('25.75');
      await limiting.getByLabel(t('customers.countries'), { exact: true }).fill('3');
      await confirm('customers.limits');
      await toasted('customers.limits_changed');
      await expect(row).toContainText('25.75');
      await expect(panel).toContainText('USD 25.75');

      await act('senders.give');
      const giving = dialog(t('senders.give'));
      await expect(giving).toContainText(t('senders.give_hint'));
      await confirm('senders.give');
      await expect(giving.getByText(t('senders.missing'))).toBeVisible();
      await giving.getByLabel(t('messages.channel'), { exact: true }).selectOption('sms');
      await giving.getByLabel(t('senders.sender'), { exact: true }).fill('Posthorn');
      await confirm('senders.give');
      await toasted('senders.was_given');
      const sender = panel.getByRole('row').filter({ hasText: 'Posthorn' });
      await expect(sender).toContainText(t('senders.given'));
      const senders = async () =>
        (await call('GET /account/:accountId/senders', { params: { accountId } })).senders;
      expect(await senders()).toMatchObject([{ sender: 'Posthorn', given: true, verified: true }]);

      await page.reload();
      await row.click();
      await expect(panel).toContainText('USD 25.75');
      await sender.getByRole('button', { name: t('senders.remove_named', { sender: 'Posthorn' }) }).click();
      const taking = dialog(t('senders.remove_title'));
      await expect(taking).toContainText(t('senders.take_text', { sender: 'Posthorn' }));
      await taking.getByRole('button', { name: t('senders.remove'), exact: true }).click();
      await toasted('senders.taken');
      await expect(sender).toHaveCount(0);
      await expect(taking).toBeHidden();
      expect(await senders()).toEqual([]);

      await page.keyboard.press('Escape');
      await expect(panel).toBeHidden();
      const guest = newPerson();
      await page.getByRole('button', { name: t('customers.invite'), exact: true }).click();
      const inviting = dialog(t('customers.invite'));
      await expect(inviting).toContainText(t('customers.invite_text'));
      await inviting.getByLabel(t('guest.email'), { exact: true }).fill('nobody');
      await confirm('customers.invite');
      await expect(inviting.getByText(t('error.E_EMAIL_INVALID'))).toBeVisible();
      await inviting.getByLabel(t('guest.email'), { exact: true }).fill(guest.email);
      await confirm('customers.invite');
      await toasted('customers.invited');
      const invitation = page
        .getByRole('table', { name: t('customers.invitations'), exact: true })
        .getByRole('row')
        .filter({ hasText: guest.email });
      await expect(invitation).toContainText(t('customers.open'));
      await mailedToken(program.url, guest.email);
      await invitation
        .getByRole('button', { name: t('customers.take_back_from', { email: guest.email }) })
        .click();
      await toasted('account.invitation_removed');
      await expect(invitation).toHaveCount(0);

      expect((await registering).status).toBe(200);
      const mails = async () =>
        (await callApi(program.url, 'GET /mailbox')).reply.mails.filter(({ to }) =>
          to.includes(forgetful.email),
        ).length;
      await expect.poll(mails).toBe(1);
      const late = await open(forgetful.email);
      await expect(rowOf(forgetful.email)).toContainText(t('customers.state.unactivated'));
      await late.getByRole('button', { name: t('customers.resend'), exact: true }).click();
      await toasted('customers.mailed');
      await expect.poll(mails).toBe(2);
      const token = await mailedToken(program.url, forgetful.email);
      expect((await callApi(program.url, 'POST /activate', { body: { token } })).status).toBe(200);
      await page.reload();
      await expect(rowOf(forgetful.email)).toContainText(t('customers.state.active'));
    });
  });
