import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { BEHAVIOURS, type Receiver, startReceiver } from '../../emulators/webhook-receiver.ts';
import { newCustomer, openPage } from '../customer/customers.ts';
import { test as base, expect, expectAccessible } from '../fixtures.ts';
import { expectSound } from '../sound.ts';
import { texts } from '../texts.ts';

const test = base.extend<{ receiver: Receiver }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
  receiver: async ({}, use) => {
    const receiver = await startReceiver();
    await use(receiver);
    await receiver.close();
  },
});
const PATH = '/dashboard/integration/events';
const rowsOf = (page: Page) => page.getByRole('table').locator('tbody').getByRole('row');

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language });
    const t = texts(language);

    test('events are sent, listed with their answer, opened and sent again', async ({
      page,
      program,
      receiver,
    }) => {
      const { call, accountId } = await newCustomer(page, program);
      await openPage(page, PATH, t('events.title'));
      await expect(page.getByText(t('events.not_set'))).toBeVisible();
      await expect(page.getByText(t('events.none_yet'))).toBeVisible();
      await expectAccessible(page, 'no webhook');
      await page
        .getByRole('main')
        .getByRole('link', { name: t('route.settings') })
        .click();
      const webhook = page.getByLabel(t('settings.webhook'));
      await webhook.fill(receiver.url);
      await webhook.press('Enter');
      await expect(page.getByText(t('settings.updated'))).toBeVisible();
      await page.getByRole('link', { name: t('events.see') }).click();
      await expect(page.getByText(receiver.url)).toBeVisible();

      await page.getByRole('button', { name: t('events.test') }).click();
      const rows = rowsOf(page);
      await expect(rows).toHaveCount(1);
      await expect(rows.first()).toContainText(t('events.state.DELIVERED'), { timeout: 60_000 });
      await expect(rows.first()).toContainText(t('events.type.webhook.test'));
      await expect(rows.first()).toContainText('200');
      expect(receiver.received).toHaveLength(1);
      await rows.first().locator('time').click();
      const dialog = page.getByRole('dialog');
      await expect(dialog).toContainText(receiver.received[0]?.id ?? '?');
      await expect(dialog).toContainText('"type": "webhook.test"');
      await expect(dialog).toContainText('thank you');
      // A toast that fades has any contrast.
      await expect(page.locator('.mantine-Notification-root')).toHaveCount(0);
      await expectAccessible(page, 'an event');
      await dialog.getByRole('button', { name: t('events.replay') }).click();
      await expect.poll(() => receiver.received.length).toBe(2);
      expect(receiver.ids().size).toBe(1);
      await page.keyboard.press('Escape');
      await expect(rows.first()).toBeFocused();

      const secret = page.getByLabel(t('events.secret'), { exact: true });
      await expect(secret).toHaveAttribute('type', 'password');
      await page.getByRole('button', { name: t('events.show') }).click();
      await expect(secret).toHaveAttribute('type', 'text');
      const { secret: before } = await call('GET /account/:accountId/webhook', { params: { accountId } });
      await expect(secret).toHaveValue(before);
      await page.getByRole('button', { name: t('events.rotate') }).click();
      await dialog.getByRole('button', { name: t('events.rotate') }).click();
      await expect(secret).not.toHaveValue(before);
    });

    test('who chooses many events a call gets an array', async ({ page, program, receiver }) => {
      const { call, accountId } = await newCustomer(page, program);
      await call('PUT /account/:accountId/setting', {
        params: { accountId },
        body: { webhook: receiver.url },
      });
      await openPage(page, PATH, t('events.title'));
      await page.getByLabel(t('events.per_call'), { exact: true }).selectOption('500');
      await expect(page.getByText(t('webhook.changed'))).toBeVisible();
      await page.getByRole('button', { name: t('events.test') }).click();
      await expect.poll(() => receiver.received.length).toBe(1);
      expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject([{ type: 'webhook.test' }]);
    });

    test('a receiver that fails is told of, and all that failed is sent again', async ({
      page,
      program,
      receiver,
    }) => {
      receiver.state.behaviour = BEHAVIOURS.redirect;
      const { call, accountId } = await newCustomer(page, program);
      const params = { accountId };
      await call('PUT /account/:accountId/setting', { params, body: { webhook: receiver.url } });
      for (let times = 0; times < 3; times += 1)
        await call('POST /account/:accountId/webhook/test', { params });
      await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(3);
      await openPage(page, PATH, t('events.title'));
      const rows = rowsOf(page);
      await expect(rows).toHaveCount(3);
      await page.getByRole('button', { name: t('events.refresh') }).click();
      await expect(rows.last()).toContainText(t('events.state.RETRYING'));
      await expect(rows.last()).toContainText('302');
      await expect(page.getByRole('button', { name: t('events.resume') })).toBeVisible();
      await expectSound(page, 'a receiver that fails');

      await page
        .getByLabel(t('events.state'), { exact: true })
        .selectOption({ label: t('events.state.DELIVERED') });
      await expect(page.getByText(t('events.none'))).toBeVisible();
      await page.getByLabel(t('events.message'), { exact: true }).fill('not an id');
      await expect(page.getByText(t('events.message_faulty'))).toBeVisible();
      await page.getByLabel(t('events.message'), { exact: true }).fill('');
      await page
        .getByLabel(t('events.state'), { exact: true })
        .selectOption({ label: t('events.any_state') });
      await expect(rows).toHaveCount(3);

      receiver.state.behaviour = BEHAVIOURS.answer;
      await page.getByRole('button', { name: t('events.replay_all') }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('events.replay_all') })
        .click();
      for (const row of await rows.all())
        await expect(row).toContainText(t('events.state.DELIVERED'), { timeout: 60_000 });
      expect(receiver.ids().size).toBe(3);
      await expect(page.getByRole('button', { name: t('events.resume') })).toBeHidden();
    });
  });
