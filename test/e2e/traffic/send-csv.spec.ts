import { readFile } from 'node:fs/promises';
import type { Page, Request } from '@playwright/test';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { type Customer, newCustomer, openPage } from '../customer/customers.ts';
import { expect, test } from '../fixtures.ts';
import { expectFit } from '../sound.ts';
import { texts } from '../texts.ts';

type Texts = ReturnType<typeof texts>;
type Program = Parameters<typeof newCustomer>[1];
const en = texts('en_US');
/** In USD: of a segment of an SMS, and of an email. */
const SMS_PRICE = 0.032051;
const EMAIL_PRICE = 0.001;
/** So many that the page is seen following them; a million are the benchmark's and the proof's. */
const MANY = 20_000;
const MANY_SHOWN = '20,000';

const newSpender = async (page: Page, program: Program, amount = 20): Promise<Customer> => {
  const customer = await newCustomer(page, program);
  const cardId = await customer.addCard('success-visa');
  await customer.call('POST /cards/:cardId/charge', { params: { cardId }, body: { amount } });
  return customer;
};
const balanceOf = async ({ call }: Customer) => (await call('GET /account/me/profile')).balance;

const openCsv = async (page: Page, t: Texts = en) => {
  await openPage(page, '/dashboard/messages/send', t('send.title'));
  await page.getByRole('radio', { name: t('send.to_csv') }).check();
};
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const figure = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${RegExp.escape(name)}$`) }) })
    .locator('dd');
const toast = (page: Page, text: string) => page.locator('.mantine-Notification-root', { hasText: text });
const alert = (page: Page, t: Texts = en) =>
  page.getByRole('form', { name: t('send.title') }).getByRole('alert');
const choose = (page: Page, content: string | Buffer, { t = en, name = 'people.csv' } = {}) =>
  page
    .getByLabel(t('send.csv.file'), { exact: true })
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
const check = async (page: Page, content: string | Buffer, t: Texts = en) => {
  await choose(page, content, { t });
  await button(page, t('send.check_file')).click();
  await expect(button(page, t('send.check.send'))).toBeVisible();
};
const downloaded = async (page: Page, start: () => Promise<void>): Promise<string> => {
  const downloading = page.waitForEvent('download');
  await start();
  return readFile(await (await downloading).path(), 'utf8');
};
const MIXED = [
  'phone,name',
  '6111 2222,Amber',
  '123,Basil',
  '6111 3333,',
  '+852 6111 2222,Amber',
  '6111 0001,Clover',
  '6111 4444,Dill',
].join('\r\n');

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language, colorScheme: language === 'zh_HK' ? 'dark' : 'light' });
    const t = texts(language);

    test('a chosen file stays through a change of language, and nowhere else', async ({ page, program }) => {
      await newSpender(page, program);
      await openCsv(page, t);
      await choose(page, 'phone,message\n6111 2222,Hello', { t, name: 'kept.csv' });
      const other = language === 'en_US' ? 'zh_HK' : 'en_US';
      const o = texts(other);
      await page.getByLabel(t('language.label')).selectOption(other);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(o('send.title'));
      await expect(button(page, o('send.csv.remove', { name: 'kept.csv' }))).toBeVisible();
      await button(page, o('send.check_file')).click();
      await expect(figure(page, o('send.check.accepted'))).toHaveText('1');
      const left = await page.evaluate(
        () =>
          new Promise((resolve) => {
            indexedDB.open('carried').onsuccess = ({ target }) => {
              const { result } = target as IDBOpenDBRequest;
              result.transaction('files').objectStore('files').count().onsuccess = (counted) =>
                resolve((counted.target as IDBRequest<number>).result);
            };
          }),
      );
      expect(left).toBe(0);
    });

    test('a file is checked, sent, followed to its end, and not sent again unasked', async ({
      page,
      program,
    }) => {
      const customer = await newSpender(page, program);
      await openCsv(page, t);
      await button(page, t('send.check_file')).click();
      await expect(page.getByRole('alert')).toHaveText([t('send.csv.missing')]);
      await expect(page.getByLabel(t('send.csv.file'), { exact: true })).toBeFocused();
      const sample = await downloaded(page, () =>
        page.getByRole('link', { name: t('send.csv.sample') }).click(),
      );
      await check(page, sample, t);
      await expect(figure(page, t('send.check.accepted'))).toHaveText('3');
      await button(page, t('layout.cancel')).click();
      await expect(toast(page, t('upload.cancelled'))).toBeVisible();

      await choose(page, MIXED, { t });
      await page.getByLabel(t('send.csv.template')).fill('Hello !');
      await page.getByLabel(t('send.csv.template')).press('ArrowLeft');
      await button(page, t('send.csv.insert', { name: 'name' })).click();
      await expect(page.getByLabel(t('send.csv.template'))).toHaveValue('Hello {{name}}!');
      await expectFit(page, 'the form with a file');
      await button(page, t('send.check_file')).click();

      await expect(panel(page, t('send.check'))).toContainText('people.csv');
      await expect(panel(page, t('send.check'))).toContainText('Hello Amber!');
      for (const [name, value] of [
        ['send.check.rows', '6'],
        ['send.check.accepted', '3'],
        ['send.check.refused', '3'],
        ['send.check.duplicates', '1'],
        ['send.check.opted_out', '0'],
        ['send.segments', '3'],
        ['send.price', '0.096153'],
        ['send.balance_after', '19.903847'],
      ])
        await expect(figure(page, t(name ?? ''))).toHaveText(value ?? '');
      await expect(panel(page, t('send.check'))).toContainText(t('upload.reason.E_PHONE_INVALID'));
      await expect(panel(page, t('send.check')).locator('tbody tr')).toHaveText([
        /^3phone.*123/,
        `4name${t('error.E_PLACEHOLDER_EMPTY', { name: 'name' })}`,
        `5phone${t('error.E_DUPLICATE')}`,
      ]);
      await expectFit(page, 'the check of a file');
      const refused = await downloaded(page, () => button(page, t('send.check.download')).click());
      expect(refused).toContain(`3,123,Basil,phone,`);
      expect(refused.trim().split('\r\n')).toHaveLength(4);
      expect(await balanceOf(customer)).toBe(20);

      await page.reload();
      await expect(figure(page, t('send.check.accepted'))).toHaveText('3');
      await button(page, t('send.check.send')).click();
      await expect(toast(page, t('send.sent'))).toBeVisible();
      await expect(page).toHaveURL(/[?&]batch=/);
      await page.reload();
      const progress = panel(page, t('send.batch'));
      await expect(progress).toContainText(t('send.batch.all_ended', { total: 3 }), { timeout: 60_000 });
      await expect(progress.getByRole('listitem')).toHaveText([
        `${t('messages.status.SUCCESS')}2`,
        `${t('messages.status.FAILED')}1`,
      ]);
      await expect(progress.getByRole('progressbar')).toHaveAttribute('value', '100');
      await expectFit(page, 'the end of a file');
      await expect.poll(() => balanceOf(customer)).toBeCloseTo(20 - 2 * SMS_PRICE, 6);

      await button(page, t('send.batch.another')).click();
      await page.getByRole('radio', { name: t('send.to_csv') }).check();
      await choose(page, MIXED, { t });
      await page.getByLabel(t('send.csv.template')).fill('Hello {{name}}!');
      await button(page, t('send.check_file')).click();
      await expect(page.getByText(t('send.again.title'))).toBeVisible();
      await expectFit(page, 'a file that was sent before');
      await button(page, t('send.again.button')).click();
      await expect(panel(page, t('send.check'))).toContainText(t('send.check.nothing_sent'));
      expect(await balanceOf(customer)).toBeCloseTo(20 - 2 * SMS_PRICE, 6);
      await button(page, t('send.check.send')).click();
      await expect(progress).toContainText(t('send.batch.all_ended', { total: 3 }), { timeout: 60_000 });
      await expect.poll(() => balanceOf(customer)).toBeCloseTo(20 - 4 * SMS_PRICE, 6);
    });

    test.describe(() => {
      test.use({ expectedStatuses: [400] });
      test('what is no file of recipients is refused clearly', async ({ page, program }) => {
        await newCustomer(page, program);
        await openCsv(page, t);
        for (const [content, words] of [
          ['', t('error.E_CSV_EMPTY')],
          [Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0xff, 0xfe, 0x80, 0]), t('error.E_CSV_NOT_TEXT')],
          ['phone\n6111 2222\n', t('error.E_CSV_NO_MESSAGE')],
          ['name,message\nAmber,Hello\n', t('error.E_CSV_NO_RECIPIENT_COLUMN')],
          ['phone,message\n6111 2222,"Hello\n', t('error.E_CSV_QUOTE_OPEN', { row: 2 })],
        ] as const) {
          await choose(page, content, { t });
          await button(page, t('send.check_file')).click();
          await expect(alert(page, t)).toHaveText(words);
          await expect(alert(page, t)).toBeFocused();
        }
        await expect(toast(page, t('error.E_CSV_QUOTE_OPEN', { row: 2 }))).toBeVisible();
        await expect(toast(page, t('error.E_CSV_EMPTY'))).toHaveCount(0);
        await choose(page, 'x', { t, name: 'people.xlsx' });
        await expect(page.getByText(t('send.csv.not_csv'))).toBeVisible();

        await choose(page, 'phone,message\n123,Hello\n', { t });
        await button(page, t('send.check_file')).click();
        await expect(page.getByText(t('send.check.none'))).toBeVisible();
        await expect(button(page, t('send.check.send'))).toHaveCount(0);
        await expect(button(page, t('send.check.download'))).toBeVisible();
      });
    });
  });

test('the texts are those of the specification', async ({ page, program }) => {
  await newCustomer(page, program);
  await openPage(page, '/dashboard/messages/send', 'Send message');
  await expect(page.getByRole('radio', { name: 'Phone', exact: true })).toBeChecked();
  await page.getByRole('radio', { name: 'Send via CSV', exact: true }).check();
  await button(page, 'Check file').click();
  await expect(page.getByText('Missing attachment', { exact: true })).toBeVisible();
});

test('20,000 emails of a file are checked, sent and followed to their end', async ({ page, program }) => {
  test.setTimeout(400_000);
  const customer = await newSpender(page, program, 30);
  await openCsv(page);
  await page.getByRole('radio', { name: 'Email', exact: true }).check();
  const rows = Array.from({ length: MANY }, (_, at) => `reader${at}@example.com,Reader ${at}`);
  await page.getByLabel(en('send.csv.subject')).fill('News for {{name}}');
  await page.getByLabel(en('send.csv.template')).fill('Hello {{name}}');
  await choose(page, ['email,name', ...rows, 'nobody,Nobody', ''].join('\n'));
  await button(page, en('send.check_file')).click();
  await expect(figure(page, en('send.check.accepted'))).toHaveText(MANY_SHOWN, { timeout: 60_000 });
  await expect(figure(page, en('send.check.refused'))).toHaveText('1');
  await expect(figure(page, en('send.price'))).toHaveText('20.00');
  await button(page, en('send.check.send')).click();
  const progress = panel(page, en('send.batch'));
  await expect(progress).toContainText(/[\d,]+ of 20,000 messages have ended/, { timeout: 60_000 });
  await expect(progress).toContainText(en('send.batch.may_leave'));
  const bar = progress.getByRole('progressbar');
  const share = async () => Number(await bar.getAttribute('value'));
  await expect.poll(share, { timeout: 60_000 }).toBeGreaterThan(0);
  await expect(progress).toContainText(en('send.batch.all_ended', { total: MANY_SHOWN }), {
    timeout: 300_000,
  });
  await expect(progress.getByRole('listitem')).toHaveText([`SUCCESS${MANY_SHOWN}`]);
  expect(await balanceOf(customer)).toBeCloseTo(30 - MANY * EMAIL_PRICE, 6);
});

test('a double click on Send sends once', async ({ page, program }) => {
  const customer = await newSpender(page, program);
  const isSend = (request: Request) => request.method() === 'POST' && request.url().endsWith('/send');
  let [sends, answers] = [0, 0];
  page.on('request', (request) => {
    if (isSend(request)) sends += 1;
  });
  page.on('response', (answer) => {
    if (isSend(answer.request())) answers += 1;
  });
  await openCsv(page);
  await check(page, 'phone,message\n6111 2222,Hello\n6111 3333,Hello\n');
  // Both clicks before the page is redrawn: the server too must treat them as one.
  await button(page, en('send.check.send')).evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });
  await expect.poll(() => sends > 0 && answers === sends).toBe(true);
  // It goes by itself, perhaps before the messages have ended.
  await expect(toast(page, en('send.sent'))).toHaveCount(1);
  await expect(panel(page, en('send.batch'))).toContainText(en('send.batch.all_ended', { total: 2 }), {
    timeout: 60_000,
  });
  expect(await balanceOf(customer)).toBeCloseTo(20 - 2 * SMS_PRICE, 6);
});

test('an upload can be called off, and nothing is left of it', async ({ page, program, complaints }) => {
  await newSpender(page, program);
  await openCsv(page);
  // Never answered.
  await page.route('**/api/sms/csvPreflight', () => {});
  await choose(page, 'phone,message\n6111 2222,Hello\n');
  await button(page, en('send.check_file')).click();
  await expect(page.getByRole('progressbar')).toBeVisible();
  await button(page, en('layout.cancel')).click();
  await expect(button(page, en('send.check_file'))).toBeVisible();
  await expect(page.getByText('people.csv')).toBeVisible();
  await expect(alert(page)).toHaveCount(0);
  await page.unroute('**/api/sms/csvPreflight');

  await button(page, en('send.check_file')).click();
  await expect(button(page, en('send.check.send'))).toBeVisible();
  const checked = page.url();
  await button(page, en('layout.cancel')).click();
  await expect(page).toHaveURL('/dashboard/messages/send');
  complaints.splice(0);
  await page.goto(checked);
  await expect(page.getByText(en('send.check.gone'))).toBeVisible();
  expect(complaints.splice(0)).toEqual([expect.stringContaining('404')]);
  await button(page, en('send.form')).click();
  await expect(button(page, en('send.check_file'))).toBeVisible();
});

test.describe(() => {
  test.use({ expectedStatuses: [402] });
  test('a balance that does not suffice is told before and after Send, with a way to top up', async ({
    page,
    program,
  }) => {
    await newCustomer(page, program);
    await openCsv(page);
    await check(page, 'phone,message\n6111 2222,Hello\n');
    await expect(figure(page, en('send.balance_after'))).toHaveText('-0.032051');
    const found = panel(page, en('send.check'));
    await expect(found).toContainText(en('send.check.short'));
    await button(page, en('send.check.send')).click();
    await expect(found.getByRole('alert').filter({ hasText: en('error.E_BALANCE_TOO_LOW') })).toBeFocused();
    await expect(toast(page, en('error.E_BALANCE_TOO_LOW'))).toBeVisible();
    await expectFit(page, 'a check without the money for it');
    await found.getByRole('link', { name: en('payments.top_up') }).click();
    await expect(page).toHaveURL('/dashboard/payments');
    await page.goBack();
    await expect(figure(page, en('send.check.accepted'))).toHaveText('1');
  });
});
