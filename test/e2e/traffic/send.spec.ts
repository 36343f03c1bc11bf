import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { type Customer, newCustomer, openPage } from '../customer/customers.ts';
import { expect, test } from '../fixtures.ts';
import { expectFit } from '../sound.ts';
import { texts } from '../texts.ts';

type Texts = ReturnType<typeof texts>;
type Program = Parameters<typeof newCustomer>[1];
const en = texts('en_US');
const DELIVERED = '6111 2222';
const REFUSED = '6111 0001';
/** As in web/traffic/sending/attempts.ts, and a bit more. */
const REPEAT_MS = 2_100;
/** Of a segment of an SMS, in USD. */
const PRICE = 0.032051;

const openSend = (page: Page, t: Texts = en) => openPage(page, '/dashboard/messages/send', t('send.title'));
/** By its role: the list of contacts has the same name. */
const target = (page: Page, name: string) => page.getByRole('combobox', { name });
const phone = (page: Page, t: Texts = en) => target(page, t('send.phone'));
const message = (page: Page, t: Texts = en) => page.getByLabel(t('send.message'), { exact: true });
const sendButton = (page: Page, t: Texts = en) =>
  page.getByRole('button', { name: t('send.button'), exact: true });
const channel = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });
const cost = (page: Page, t: Texts = en) => page.getByRole('region', { name: t('send.cost') });
const rows = (page: Page, t: Texts = en) =>
  page.getByRole('region', { name: t('send.result') }).locator('tbody tr');
const toast = (page: Page, text: string) => page.locator('.mantine-Notification-root', { hasText: text });
/** The alert of the form; toasts are alerts too. */
const alert = (page: Page, t: Texts = en) =>
  page.getByRole('form', { name: t('send.title') }).getByRole('alert');

const newSpender = async (page: Page, program: Program): Promise<Customer> => {
  const customer = await newCustomer(page, program);
  const cardId = await customer.addCard('success-visa');
  await customer.call('POST /cards/:cardId/charge', { params: { cardId }, body: { amount: 20 } });
  return customer;
};

const write = async (page: Page, { to, text, t = en }: { to: string; text: string; t?: Texts }) => {
  await phone(page, t).fill(to);
  await message(page, t).fill(text);
};

const balanceOf = async ({ call }: Customer) => (await call('GET /account/me/profile')).balance;

const later = (hours: number): string =>
  new Date(Date.now() + (8 + hours) * 3_600_000).toISOString().slice(0, 16);

for (const language of LANGUAGES)
  test(`a message for later waits, and is withdrawn and refunded (${language})`, async ({
    page,
    program,
  }) => {
    await page.addInitScript((lang) => localStorage.setItem('activeLang', lang), language);
    const t = texts(language);
    const customer = await newSpender(page, program);
    await openSend(page, t);
    await write(page, { to: DELIVERED, text: 'later', t });
    await page.getByLabel(t('send.later'), { exact: true }).check();
    await sendButton(page, t).click();
    await expect(alert(page, t)).toHaveText([t('send.later.missing')]);
    const time = later(5).replace('T', ' ');
    const field = page.getByLabel(t('send.later.time'), { exact: true });
    await expect(field).toBeFocused();
    await field.pressSequentially('tomorrow');
    await page.keyboard.press('Enter');
    await expect(alert(page, t)).toHaveText([t('send.later.invalid')]);
    await field.fill(time);
    await page.keyboard.press('Tab');
    const calendar = t('lists.pick_day', { label: t('send.later.time') });
    await expect(page.getByRole('button', { name: calendar })).toBeFocused();
    await expectFit(page, 'a message for later');
    const named = later(0).slice(0, 10) === time.slice(0, 10) ? time.slice(11) : time;
    await page.getByRole('button', { name: t('send.schedule_for', { time: named }), exact: true }).click();
    const row = rows(page, t).first();
    await expect(row).toContainText(t('messages.status.PENDING'));
    await row.getByRole('button', { name: t('send.cancel.message') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('send.cancel.confirm') })
      .click();
    await expect(row).toContainText(t('messages.status.CANCELLED'));
    await expect(toast(page, t('send.cancel.done', { refund: '0.032051' }))).toBeVisible();
    expect(await balanceOf(customer)).toBe(20);
  });

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({
      language,
      colorScheme: language === 'zh_HK' ? 'dark' : 'light',
      expectedStatuses: [400, 402],
    });
    const t = texts(language);

    test('what is missing is said below its field', async ({ page, program }) => {
      await newCustomer(page, program);
      await page.goto('/dashboard/messages');
      await page.getByRole('link', { name: t('send.title') }).click();
      await expect(page).toHaveURL('/dashboard/messages/send');
      await expect(page).toHaveTitle(new RegExp(`^${t('send.title')} `));

      await sendButton(page, t).click();
      await expect(page.getByRole('alert')).toHaveText([t('send.phone_missing'), t('send.message_missing')]);
      await expect(phone(page, t)).toBeFocused();
      await channel(page, t('send.channel.whatsapp')).check();
      await expect(page.getByText(t('send.whatsapp_hint'))).toBeVisible();
      await expect(page.getByLabel(t('send.device'))).toHaveValue('simulator');
      await page.getByLabel(t('send.device')).selectOption('');
      await sendButton(page, t).click();
      await expect(page.getByRole('alert')).toHaveText([
        t('send.device_missing'),
        t('send.phone_missing'),
        t('send.message_missing'),
      ]);
      await expect(page.getByLabel(t('send.device'))).toBeFocused();
      await expectFit(page, 'the form with its faults');
      await channel(page, t('send.channel.email')).check();
      await message(page, t).fill('Hello');
      await sendButton(page, t).click();
      await expect(page.getByRole('alert')).toHaveText([t('send.address_missing')]);
      await target(page, t('send.address')).fill('nobody');
      await sendButton(page, t).click();
      await expect(page.getByRole('alert')).toHaveText([t('guest.email_invalid')]);
    });

    test('an SMS is priced while it is typed, sent, delivered and exported', async ({ page, program }) => {
      const customer = await newSpender(page, program);
      await openSend(page, t);
      await expect(page.getByText(t('send.test_title'))).toBeVisible();
      await page.getByText(t('send.simulator.title')).click();
      await expect(page.getByText(t('send.simulator.refused'))).toBeVisible();
      await expect(page.getByLabel(t('send.country'))).toHaveValue('HK');
      await write(page, { to: DELIVERED, text: 'a'.repeat(161), t });
      await expect(cost(page, t)).toContainText(t('send.characters_left', { places: 161, left: 145 }));
      await expect(cost(page, t)).toContainText('0.064102');
      await expect(cost(page, t)).toContainText('19.935898');
      await message(page, t).fill('字'.repeat(70));
      await expect(cost(page, t)).toContainText('Unicode');
      await expect(cost(page, t)).toContainText('19.967949');
      await sendButton(page, t).click();
      await expect(toast(page, t('send.sent'))).toBeVisible();
      await expect(rows(page, t)).toHaveCount(1);
      await expect(rows(page, t)).toContainText('+85261112222');
      await expect(rows(page, t)).toContainText(t('send.test'));
      await expect(rows(page, t)).toContainText(String(PRICE));
      await expect(rows(page, t)).toContainText(t('messages.status.SUCCESS'), { timeout: 60_000 });
      expect(await balanceOf(customer)).toBeCloseTo(20 - PRICE, 6);
      await expectFit(page, 'the page with a result');

      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: t('send.export') }).click();
      const file = await downloading;
      expect(file.suggestedFilename()).toBe('sent-messages.csv');
      const content = await readFile(await file.path(), 'utf8');
      expect(content.startsWith(`\uFEFF${t('send.time')},`)).toBe(true);
      expect(content).toMatch(/,sms,,\+85261112222,1,0\.032051,SUCCESS,,YES,[0-9a-f-]{36}\r\n$/);
    });

    test('a draft stays while the page is left, by Back and a change of language', async ({
      page,
      program,
    }) => {
      await newSpender(page, program);
      await openSend(page, t);
      await channel(page, t('send.channel.whatsapp')).check();
      await write(page, { to: '6111 2222', text: 'half a thought', t });
      await page.getByRole('link', { name: t('route.profile'), exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('profile.title'));
      await page.goBack();
      await expect(message(page, t)).toHaveValue('half a thought');
      const other = language === 'en_US' ? 'zh_HK' : 'en_US';
      const o = texts(other);
      await page.getByLabel(t('language.label')).selectOption(other);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(o('send.title'));
      await expect(message(page, o)).toHaveValue('half a thought');
      await expect(phone(page, o)).toHaveValue('6111 2222');
      await expect(channel(page, o('send.channel.whatsapp'))).toBeChecked();
      await sendButton(page, o).click();
      const result = page.getByRole('heading', { name: o('send.result') });
      await expect(result).toBeFocused();
      await expect(result).toBeInViewport();
      await expect(message(page, o)).toHaveValue('');
      await expect(phone(page, o)).toHaveValue('');
      await rows(page, o).getByRole('link').filter({ visible: true }).click();
      await expect(page).toHaveURL(/\/dashboard\/messages\/details\//);
    });

    test('a refusal stands beside its field, and its toast goes once it is mended', async ({
      page,
      program,
    }) => {
      await newSpender(page, program);
      await openSend(page, t);
      await write(page, { to: '+999 1234', text: 'Hello', t });
      await sendButton(page, t).click();
      const refusal = t('error.E_CALLING_CODE_UNKNOWN', { phone: '+999 1234' });
      await expect(toast(page, refusal)).toBeVisible();
      await expect(phone(page, t)).toBeFocused();
      await expect(phone(page, t)).toHaveAccessibleDescription(refusal);
      await phone(page, t).fill(DELIVERED);
      await sendButton(page, t).click();
      await expect(rows(page, t)).toHaveCount(1);
      await expect(toast(page, refusal)).toHaveCount(0);
    });

    test('a refused number ends as failed, and its price comes back', async ({ page, program }) => {
      const customer = await newSpender(page, program);
      await openSend(page, t);
      await write(page, { to: REFUSED, text: 'Hello', t });
      await sendButton(page, t).click();
      await expect(rows(page, t)).toContainText(t('messages.status.FAILED'), { timeout: 60_000 });
      await expect(rows(page, t)).toContainText(t('message.reason.SIM_REFUSED'));
      await expect.poll(() => balanceOf(customer)).toBe(20);
    });

    test('without enough balance the server says so, in a toast and an alert', async ({ page, program }) => {
      await newCustomer(page, program);
      await openSend(page, t);
      await write(page, { to: DELIVERED, text: 'Hello', t });
      await expect(cost(page, t)).toContainText(t('send.balance_short'));
      await sendButton(page, t).click();
      await expect(toast(page, t('error.E_BALANCE_TOO_LOW'))).toBeVisible();
      await expect(alert(page, t)).toHaveText(t('error.E_BALANCE_TOO_LOW'));
      await expect(alert(page, t)).toBeFocused();
      await expect(sendButton(page, t)).toBeEnabled();
      await expect(rows(page, t)).toHaveCount(0);
      await expectFit(page, 'the page with its alert');
    });

    test('those written to before are offered after 3 characters', async ({ page, program }) => {
      const { call, accountId } = await newSpender(page, program);
      for (const [to, of] of [
        ['+85261112222', 'sms'],
        ['+85261112222', 'whatsapp'],
        ['+85291112233', 'sms'],
        ['walker@example.com', 'email'],
      ] as const)
        await call('POST /:channel/send', { params: { channel: of }, body: { phone: to, message: 'Hello' } });
      // They are created in the background.
      const params = { accountId };
      await expect
        .poll(async () => (await call('GET /account/:accountId/contacts/page', { params })).contacts.length)
        .toBe(3);
      await page.clock.install();
      await openSend(page, t);
      const asked: string[] = [];
      page.on('request', (request) => {
        const url = new URL(request.url());
        if (url.pathname.endsWith('/contacts')) asked.push(url.searchParams.get('keyword') ?? '');
      });
      await phone(page, t).pressSequentially('11');
      // Longer than typing is waited for: only time can show that two digits ask for nothing.
      await page.waitForTimeout(500);
      expect(asked).toEqual([]);
      // However slowly the keys come, to the page they come at once.
      await page.clock.pauseAt(Date.now() + 1_000);
      await phone(page, t).pressSequentially('1 2');
      await page.clock.resume();
      await expect(page.getByRole('listbox').getByRole('option')).toHaveText([
        '+85291112233',
        '+85261112222',
      ]);
      expect(asked).toEqual(['1112']);
      await expectFit(page, 'the page with contacts');
      await phone(page, t).press('ArrowDown');
      await phone(page, t).press('ArrowDown');
      await phone(page, t).press('Enter');
      await expect(phone(page, t)).toHaveValue('+85261112222');
      await channel(page, t('send.channel.email')).check();
      await target(page, t('send.address')).pressSequentially('walk');
      await page.getByRole('option', { name: 'walker@example.com' }).click();
      await expect(target(page, t('send.address'))).toHaveValue('walker@example.com');
    });

    test('WhatsApp and email go out too', async ({ page, program }) => {
      await newSpender(page, program);
      await openSend(page, t);
      await channel(page, t('send.channel.whatsapp')).check();
      await write(page, { to: DELIVERED, text: 'Hello', t });
      await sendButton(page, t).click();
      await expect(rows(page, t)).toHaveCount(1);
      await channel(page, t('send.channel.email')).check();
      await target(page, t('send.address')).fill('walker@example.photography');
      await message(page, t).fill('Hello');
      await page.getByLabel(t('send.subject')).fill('News');
      await sendButton(page, t).click();
      await expect(rows(page, t)).toHaveCount(2);
      await expect(rows(page, t).first()).toContainText('walker@example.photography');
      await expect(rows(page, t).filter({ hasText: t('messages.status.SUCCESS') })).toHaveCount(2, {
        timeout: 60_000,
      });
    });
  });

test('the texts are those of the specification', async ({ page, program }) => {
  await newSpender(page, program);
  await openSend(page);
  await channel(page, 'WhatsApp').check();
  await page.getByLabel('Device').selectOption('');
  await expect(page.getByText('Recomended max 300 characters')).toBeVisible();
  await sendButton(page).click();
  for (const text of [
    'Field required: Please select device.',
    'Field required: Please enter target phone number.',
    'Field required: Message should not be empty.',
  ])
    await expect(page.getByText(text, { exact: true })).toBeVisible();
  await channel(page, 'SMS').check();
  await write(page, { to: DELIVERED, text: 'Hello' });
  await sendButton(page).click();
  await expect(toast(page, 'Message send succesfully.')).toBeVisible();
});

test('a double click sends once, a later click once more', async ({ page, program }) => {
  const customer = await newSpender(page, program);
  await openSend(page);
  await write(page, { to: DELIVERED, text: 'Hello' });
  await sendButton(page).dblclick();
  await expect(rows(page)).toHaveCount(1);
  // Until then the same is taken for a part of the double click, and only time can end that.
  await page.waitForTimeout(REPEAT_MS);
  await write(page, { to: DELIVERED, text: 'Hello' });
  await sendButton(page).click();
  await expect(rows(page)).toHaveCount(2);
  expect(await balanceOf(customer)).toBeCloseTo(20 - 2 * PRICE, 6);
});

test.describe('a poor connection', () => {
  test('a message whose answer was lost is sent once', async ({ page, program, complaints }) => {
    const customer = await newSpender(page, program);
    await openSend(page);
    await write(page, { to: DELIVERED, text: 'Hello' });
    await page.route(
      '**/api/sms/send',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await sendButton(page).click();
    await expect(alert(page)).toContainText(en('api.network'));
    await expect(alert(page)).toContainText(en('send.unknown'));
    await sendButton(page).click();
    await expect(rows(page)).toHaveCount(1);
    await expect(alert(page)).toHaveCount(0);
    expect(await balanceOf(customer)).toBeCloseTo(20 - PRICE, 6);
    expect(complaints.splice(0)).toEqual([expect.stringContaining('net::ERR_FAILED')]);
  });

  test('the button is free again 5 seconds after a slow request began', async ({ page, program }) => {
    await newSpender(page, program);
    await openSend(page);
    await write(page, { to: DELIVERED, text: 'Hello' });
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/sms/send', async (route) => {
      await held;
      await route.continue();
    });
    const began = Date.now();
    await sendButton(page).click();
    await expect(sendButton(page)).toBeDisabled();
    await expect(sendButton(page)).toBeEnabled();
    expect(Date.now() - began).toBeGreaterThan(4_000);
    await sendButton(page).click();
    answer();
    await expect(rows(page)).toHaveCount(1);
    await expect(sendButton(page)).toBeEnabled();
    await expect(rows(page)).toHaveCount(1);
  });
});
