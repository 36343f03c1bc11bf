import { randomBytes, randomInt } from 'node:crypto';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { asAdmin, newCustomer, openPage } from '../customer/customers.ts';
import { expectToast } from '../expect-toast.ts';
import { expect } from '../fixtures.ts';
import { expectFit } from '../sound.ts';
import { texts } from '../texts.ts';
import { inboundUrl, removeRealLane, TWILIO_NUMBER, TWILIO_SID, test } from '../traffic/real-lane.ts';

test.use({ viewport: { width: 1440, height: 900 } });

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language, colorScheme: language === 'zh_HK' ? 'dark' : 'light' });
    const t = texts(language);

    test('an admin reads a message that is nobody’s, and gives its number to an account, which gets the next', async ({
      page,
      program,
      openTwilio,
    }) => {
      test.setTimeout(240_000);
      const { email, accountId, call } = await newCustomer(page, program);
      const admin = await asAdmin(page, program);
      const token = randomBytes(16).toString('hex');
      const twilio = await openTwilio(token);
      const lane = `office-${randomBytes(4).toString('hex')}`;
      const { laneId } = await admin('POST /admin/lanes', {
        body: {
          name: lane,
          provider: 'twilio',
          route: lane,
          settings: {
            TWILIO_ACCOUNT_SID: TWILIO_SID,
            TWILIO_AUTH_TOKEN: token,
            TWILIO_FROM: TWILIO_NUMBER,
          },
        },
      });
      const [person, number] = [`+8526${randomInt(1e6, 1e7)}`, `+8523${randomInt(1e6, 1e7)}`];
      const write = (text: string) =>
        expect
          .poll(() => twilio.write(inboundUrl(program, lane), { from: person, to: number, text }))
          .toBe(200);
      await write(`whose is ${lane}?`);

      await openPage(page, '/dashboard/unassigned', t('unassigned.title'));
      const list = page.getByRole('table', { name: t('unassigned.title'), exact: true });
      const row = (text: string) => list.getByRole('row').filter({ hasText: text });
      const nobodys = row(`whose is ${lane}?`).first();
      for (const text of [person, number, lane]) await expect(nobodys).toContainText(text);
      await expectFit(page, 'unassigned messages');
      await nobodys.click();
      const message = page.getByRole('dialog', { name: person, exact: true });
      for (const text of [number, lane, t('send.channel.sms'), `whose is ${lane}?`])
        await expect(message).toContainText(text);

      await openPage(page, `/dashboard/accounts?keyword=${encodeURIComponent(email)}`, t('customers.title'));
      const accounts = page.getByRole('table', { name: t('customers.title'), exact: true });
      await accounts.getByRole('row').filter({ hasText: email }).click();
      const panel = page.getByRole('dialog', { name: email, exact: true });
      await panel.getByRole('button', { name: t('senders.give'), exact: true }).click();
      const giving = page.getByRole('dialog', { name: t('senders.give'), exact: true });
      await giving.getByLabel(t('messages.channel'), { exact: true }).selectOption('sms');
      await giving.getByLabel(t('senders.sender'), { exact: true }).fill(number);
      await giving.getByRole('button', { name: t('senders.give'), exact: true }).click();
      await expectToast(page, t, t('senders.was_given'));
      await expect(panel.getByRole('row').filter({ hasText: number })).toContainText(t('senders.given'));

      await write(`now ${lane} is yours`);
      const received = async () =>
        (await call('GET /account/:accountId/messages', { params: { accountId } })).messages;
      await expect
        .poll(received)
        .toContainEqual(
          expect.objectContaining({ type: 'incoming', channel: 'sms', message: `now ${lane} is yours` }),
        );
      const filters = encodeURIComponent(JSON.stringify({ accountId }));
      await openPage(page, `/dashboard/messages?filters=${filters}`, t('route.messages'));
      const incoming = page.locator('tbody tr').filter({ hasText: `now ${lane} is yours` });
      await expect(incoming.first()).toContainText(person.slice(-4));
      // What arrived before stays nobody's.
      await openPage(page, '/dashboard/unassigned', t('unassigned.title'));
      await expect(nobodys).toBeVisible();
      await expect(row(`now ${lane} is yours`)).toHaveCount(0);

      await removeRealLane(admin, laneId);
    });
  });
