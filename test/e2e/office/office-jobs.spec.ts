import { randomBytes } from 'node:crypto';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { asAdmin, type Call, newCustomer, openPage } from '../customer/customers.ts';
import { expectToast } from '../expect-toast.ts';
import { expect, test } from '../fixtures.ts';
import { texts } from '../texts.ts';

test.use({ viewport: { width: 1440, height: 900 } });

/** The simulators never answer for it. */
const SILENT = '+85261110003';
const ORDINARY = '+85261112222';

const laneOf = async (admin: Call, jobId: string): Promise<string> =>
  (await admin('GET /job/:jobId/queue', { params: { jobId } })).lane?.name ?? '';

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language });
    const t = texts(language);

    test('an admin looks into the queue of a lane, transfers what waits in it and decides what is in doubt', async ({
      page,
      program,
    }) => {
      test.setTimeout(240_000);
      const customer = await newCustomer(page, program);
      const cardId = await customer.addCard('success-visa');
      await customer.call('POST /cards/:cardId/charge', { params: { cardId }, body: { amount: 10 } });
      const send = async (phone: string, message: string) =>
        (await customer.call('POST /:channel/send', { params: { channel: 'sms' }, body: { phone, message } }))
          ._id;
      const balance = async () => (await customer.call('GET /account/me/profile')).balance;
      const admin = await asAdmin(page, program);

      const doubtful = await send(SILENT, 'nobody knows');

      // The customer's own lane, which no worker can reach: what is sent from now on waits in it.
      const lane = `office-${randomBytes(4).toString('hex')}`;
      const { laneId } = await admin('POST /admin/lanes', {
        body: {
          name: lane,
          provider: 'simulator',
          place: 'nowhere',
          route: lane,
          dedicatedTo: [customer.accountId],
        },
      });
      const params = { laneId: String(laneId) };
      await expect(async () => {
        expect(await laneOf(admin, await send(ORDINARY, 'the first'))).toBe(lane);
      }).toPass({ timeout: 60_000 });
      const waiting: string[] = [];
      for (const message of ['waits one', 'waits two', 'waits three', 'waits four'])
        waiting.push(await send(ORDINARY, message));
      const [one = '', two = '', three = '', four = ''] = waiting;
      // It keeps what waits, and phones may take it over when somebody asks for that.
      await admin('POST /admin/lanes/:laneId/mode', { params, body: { mode: 'paused' } });
      await admin('PUT /admin/lanes/:laneId', { params, body: { route: 'sms' } });

      const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
      const toasted = (label: string, given = {}) => expectToast(page, t, t(label, given));
      const rows = page.locator('tbody tr');
      const row = (text: string) => rows.filter({ hasText: text });
      const bar = page.getByRole('region', { name: t('lists.selection') });
      const panel = page
        .getByRole('dialog')
        .filter({ has: page.getByRole('link', { name: t('queue.open'), exact: true }) });
      const openMessages = async () => {
        const filters = encodeURIComponent(JSON.stringify({ accountId: customer.accountId }));
        await openPage(page, `/dashboard/messages?filters=${filters}`, t('route.messages'));
      };

      await openMessages();
      await row('waits two').locator('time').first().click();
      await panel.getByRole('link', { name: t('queue.open'), exact: true }).click();
      await expect(page).toHaveURL(`/dashboard/queue/${two}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('queue.title'));
      const queue = page.getByRole('region', { name: lane, exact: true });
      await expect(queue).toContainText(t('queue.state.WAITING'));
      await expect(queue).toContainText('simulator');
      await expect(queue).toContainText(t('lane.mode.paused'));
      await expect(rows).toHaveCount(5);
      await expect(rows.filter({ hasText: t('queue.this') })).toHaveCount(1);
      await expect(rows.nth(2)).toContainText(t('queue.this'));
      await expect(rows.nth(2)).toContainText(customer.email);

      const openTransfer = async (text: string) => {
        await row(text).locator('time').first().click();
        await panel.getByRole('button', { name: t('transfer.open'), exact: true }).click();
        const transferring = dialog(t('transfer.title'));
        await expect(transferring).toContainText(t('transfer.hint'));
        return transferring;
      };
      await openMessages();
      const toPhone = await openTransfer('waits one');
      await toPhone.getByRole('button', { name: t('layout.cancel'), exact: true }).click();
      await expect(toPhone).toBeHidden();
      expect(await laneOf(admin, one)).toBe(lane);
      await panel.getByRole('button', { name: t('transfer.open'), exact: true }).click();
      await toPhone
        .getByRole('row')
        .filter({ has: page.getByRole('cell', { name: 'hk-01', exact: true }) })
        .getByRole('button', { name: t('transfer.here'), exact: true })
        .click();
      await toasted('transfer.done', { count: 1 });
      await expect(toPhone).toBeHidden();
      await expect(panel).toContainText('hk-01');
      expect(await laneOf(admin, one)).toMatch(/^hk-01\./);
      await page.keyboard.press('Escape');
      const auto = await openTransfer('waits two');
      await auto.getByRole('button', { name: t('transfer.auto'), exact: true }).click();
      await toasted('transfer.done', { count: 1 });
      await expect(auto).toBeHidden();
      expect(await laneOf(admin, two)).toMatch(/^hk-0\d\./);
      await page.keyboard.press('Escape');
      await expect(panel).toBeHidden();

      await row('waits three').getByRole('checkbox').check();
      await row('waits four').getByRole('checkbox').check();
      await bar.getByRole('button', { name: t('bulk.transfer'), exact: true }).click();
      const question = dialog(t('bulk.title.TRANSFER', { count: 2 }));
      await expect(question).toContainText(t('bulk.hint.TRANSFER'));
      await question.getByLabel(t('transfer.phone'), { exact: true }).selectOption('hk-02');
      await question.getByRole('button', { name: t('bulk.confirm.TRANSFER'), exact: true }).click();
      await toasted('transfer.done', { count: 2 });
      await expect(bar).toBeHidden();
      for (const jobId of [three, four]) expect(await laneOf(admin, jobId)).toMatch(/^hk-02\./);
      await row('waits three').locator('time').first().click();
      await expect(panel).toContainText('hk-02');

      const inDoubt = async () =>
        (await admin('GET /admin/inDoubt')).messages.find(({ _id }) => _id === doubtful);
      await expect.poll(inDoubt, { timeout: 60_000 }).toMatchObject({ question: null });
      const { lanes } = await admin('GET /admin/inDoubt');
      const silentLane = (await inDoubt())?.lane;
      await openPage(page, '/dashboard/in-doubt', t('doubt.title'));
      await page
        .getByRole('combobox', { name: t('doubt.lane'), exact: true })
        .selectOption(String(lanes.find(({ name }) => name === silentLane)?.laneId));
      const doubt = row(customer.email);
      await expect(doubt).toHaveCount(1);
      await expect(doubt).toContainText(SILENT);
      await doubt.getByRole('checkbox').check();
      await bar.getByRole('button', { name: t('doubt.ask'), exact: true }).click();
      await toasted('doubt.asked_count', { count: 1 });
      await expect
        .poll(async () => (await inDoubt())?.question?.said, { timeout: 60_000 })
        .toBe('This carrier can not be asked about a message.');
      await page.reload();
      await expect(doubt).toContainText('This carrier can not be asked about a message.');
      const before = await balance();
      await doubt.getByRole('checkbox').check();
      await bar.getByRole('button', { name: t('bulk.failed'), exact: true }).click();
      const deciding = dialog(t('bulk.one.FAILED'));
      await expect(deciding).toContainText(t('bulk.hint.FAILED'));
      await deciding.getByRole('button', { name: t('layout.cancel'), exact: true }).click();
      await expect(deciding).toBeHidden();
      await bar.getByRole('button', { name: t('bulk.failed'), exact: true }).click();
      await deciding.getByRole('button', { name: t('bulk.confirm.FAILED'), exact: true }).click();
      await toasted('bulk.updated', { count: 1 });
      await expect(doubt).toHaveCount(0);
      expect(await inDoubt()).toBeUndefined();
      await expect.poll(balance).toBeGreaterThan(before);
      await openMessages();
      await expect(row('nobody knows')).toContainText(t('messages.status.FAILED'));

      await admin('DELETE /admin/lanes/:laneId', { params });
    });
  });
