import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { type Receiver, startReceiver } from '../../emulators/webhook-receiver.ts';
import { type Customer, newCustomer, openPage } from '../customer/customers.ts';
import { test as base, expect, expectAccessible, withSession } from '../fixtures.ts';
import { expectFit } from '../sound.ts';
import { texts } from '../texts.ts';
import { unfold } from '../unfold.ts';

const test = base.extend<{ receiver: Receiver }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
  receiver: async ({}, use) => {
    const receiver = await startReceiver();
    await use(receiver);
    await receiver.close();
  },
});
type Texts = ReturnType<typeof texts>;
type Program = Parameters<typeof newCustomer>[1];
// High enough for the list's filters to be open.
test.use({ viewport: { width: 1440, height: 900 } });

const LIST = '/dashboard/messages';
const PRICE = '0.032051';

const newSpender = async (page: Page, program: Program): Promise<Customer> => {
  const customer = await newCustomer(page, program);
  const cardId = await customer.addCard('success-visa');
  await customer.call('POST /cards/:cardId/charge', { params: { cardId }, body: { amount: 20 } });
  return customer;
};
const send = async ({ call }: Customer, phone: string, more: { message?: string; sendAt?: string } = {}) =>
  (
    await call('POST /:channel/send', {
      params: { channel: 'sms' },
      body: { phone, message: 'hello', ...more },
    })
  )._id;
const open = (page: Page, id: string, t: Texts) =>
  openPage(page, `${LIST}/details/${id}`, t('details.title'));
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const step = (page: Page, t: Texts, label: string) =>
  panel(page, t('details.timeline'))
    .getByRole('listitem')
    .filter({ has: page.getByText(t(label), { exact: true }) });
const bubbles = (page: Page, t: Texts) => panel(page, t('details.conversation')).getByRole('listitem');

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language, colorScheme: language === 'zh_HK' ? 'dark' : 'light' });
    const t = texts(language);

    test('a failed message: its steps, its refund, what the webhook was told, and back with the filters', async ({
      page,
      program,
      receiver,
    }) => {
      const customer = await newSpender(page, program);
      await customer.call('PUT /account/:accountId/setting', {
        params: { accountId: customer.accountId },
        body: { webhook: receiver.url },
      });
      const earlier = await send(customer, '+85261110004', { message: 'first' });
      const id = await send(customer, '+85261110004', { message: 'second' });
      await openPage(page, LIST, t('route.messages'));
      await unfold(page.getByRole('button', { name: t('messages.filters'), exact: true }));
      await page.getByLabel(t('messages.channel'), { exact: true }).selectOption('sms');
      await page.getByRole('button', { name: t('messages.search_button'), exact: true }).click();
      await expect(page).toHaveURL(/filters=/);
      await expect(page.locator('tbody tr')).toHaveCount(2);
      const filtered = page.url();
      await page.locator(`a[href$="${id}"]`).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('details.title'));

      await expect(step(page, t, 'details.step.priced')).toContainText(`USD ${PRICE}`);
      await expect(step(page, t, 'details.step.failed')).toContainText(t('message.reason.SIM_FAILED'), {
        timeout: 60_000,
      });
      await expect(step(page, t, 'details.step.refunded')).toContainText(`USD ${PRICE}`);
      await expect(step(page, t, 'details.step.refunded').locator('time')).toHaveText(
        /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
      );
      const told = panel(page, t('details.events')).locator('tbody tr');
      await expect(told).toHaveCount(3);
      await expect(told.filter({ hasText: t('events.type.message.failed') })).toContainText('200');
      await expect(told.filter({ hasText: t('events.state.DELIVERED') })).toHaveCount(3);
      await expectFit(page, 'the details of a message');

      await expect(bubbles(page, t)).toHaveText([/first/, /second/]);
      await bubbles(page, t).first().getByRole('link').click();
      await expect(page).toHaveURL(new RegExp(earlier));
      await expect(panel(page, t('details.text'))).toContainText('first');
      await expect(bubbles(page, t).first().getByRole('link')).toHaveAttribute('aria-current', 'page');
      await page.reload();
      await page.getByRole('link', { name: t('details.back') }).click();
      await expect(page).toHaveURL(filtered);
      await expect(page.locator('tbody tr')).toHaveCount(2);
    });

    test('a message for later is withdrawn here, and its money comes back', async ({ page, program }) => {
      const customer = await newSpender(page, program);
      const id = await send(customer, '+85261112222', {
        sendAt: new Date(Date.now() + 86_400_000).toISOString(),
      });
      await open(page, id, t);
      await expect(step(page, t, 'details.step.scheduled')).toBeVisible();
      await expect(step(page, t, 'details.waiting')).toBeVisible();
      await expect(panel(page, t('details.events'))).toContainText(t('details.events_none'));
      await page.getByRole('button', { name: t('send.cancel.message') }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('send.cancel.confirm') })
        .dblclick();
      await expect(page.getByText(t('send.cancel.done', { refund: PRICE }))).toBeVisible();
      await expect(step(page, t, 'details.step.cancelled')).toContainText(t('details.cancelled.CANCELLED'));
      await expect(step(page, t, 'details.step.refunded')).toHaveCount(1);
      await expect(step(page, t, 'details.waiting')).toHaveCount(0);
      await expect(page.getByRole('button', { name: t('send.cancel.message') })).toHaveCount(0);
      expect((await customer.call('GET /account/me/profile')).balance).toBe(20);
      await page.getByRole('link', { name: t('details.write_number') }).click();
      await expect(page.getByRole('combobox', { name: t('send.phone') })).toHaveValue('+85261112222');
    });

    test('a long conversation comes page by page, both directions, the newest last', async ({
      page,
      program,
    }) => {
      const customer = await newSpender(page, program);
      for (let n = 1; n <= 22; n++) await send(customer, '+85261110006', { message: `number ${n}.` });
      const id = await send(customer, '+85261110006', { message: 'the last one' });
      await open(page, id, t);
      await expect(bubbles(page, t)).toHaveCount(20);
      await expect(bubbles(page, t).last()).toContainText('the last one');
      await expect(bubbles(page, t).first()).toContainText('number 4.');
      await page.getByRole('button', { name: t('details.earlier') }).click();
      await expect(bubbles(page, t)).toHaveCount(23);
      await expect(bubbles(page, t).first()).toContainText('number 1.');
      await expect(page.getByRole('button', { name: t('details.earlier') })).toHaveCount(0);

      const asked = await send(customer, '+85261110008', { message: 'Please answer.' });
      await open(page, asked, t);
      await expect(bubbles(page, t)).toHaveCount(2, { timeout: 60_000 });
      await bubbles(page, t).last().getByRole('link').click();
      await expect(panel(page, t('details.timeline')).getByRole('listitem')).toHaveText([
        new RegExp(t('details.step.received')),
      ]);
    });

    test('an admin sees whose it is and by which way it went, and withdraws nothing', async ({
      page,
      program,
    }) => {
      const customer = await newSpender(page, program);
      const id = await send(customer, '+85261112222', {
        sendAt: new Date(Date.now() + 86_400_000).toISOString(),
      });
      const sent = await send(customer, '+85261112222');
      await withSession(page, program, program.admin);
      await open(page, sent, t);
      await expect(panel(page, t('details.facts'))).toContainText(customer.email);
      await expect(step(page, t, 'details.step.routed')).toContainText('simulator-sms');
      await expect(bubbles(page, t)).toHaveCount(2);
      await open(page, id, t);
      await expect(step(page, t, 'details.waiting')).toBeVisible();
      await expect(page.getByRole('button', { name: t('send.cancel.message') })).toHaveCount(0);
      await expect(page.getByRole('link', { name: t('details.write_number') })).toHaveCount(0);
    });
  });

test.describe('trouble', () => {
  test.use({ expectedStatuses: [400, 404, 503] });
  const t = texts('en_US');

  test("another's message and nonsense are not found, and what does not load can be tried again", async ({
    page,
    program,
  }) => {
    const other = await newSpender(page, program);
    const id = await send(other, '+85261112222');
    const customer = await newSpender(page, program);
    for (const lost of [id, 'nonsense']) {
      await open(page, lost, t);
      await expect(page.getByRole('alert')).toContainText(t('details.none'));
    }
    await expectAccessible(page, 'no such message');
    const own = await send(customer, '+85261112222');
    const fault = { status: 503, json: { code: 'E_INTERNAL', message: 'Not now.', requestId: 'r' } };
    await page.route('**/timeline', (route) => route.fulfill(fault));
    await page.route('**/conversation?*', (route) => route.fulfill(fault));
    await open(page, own, t);
    await expect(page.getByRole('alert')).toContainText(t('details.failed'));
    await page.unroute('**/timeline');
    await page.getByRole('button', { name: t('layout.try_again') }).click();
    await expect(step(page, t, 'details.step.accepted')).toBeVisible();
    await expect(page.getByRole('alert')).toContainText(t('details.conversation_failed'));
    await page.unroute('**/conversation?*');
    await page.getByRole('button', { name: t('layout.try_again') }).click();
    await expect(bubbles(page, t)).toHaveCount(1);
  });
});
