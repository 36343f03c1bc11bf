import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { type CardProvider, startCardProvider } from '../../emulators/card-provider/card-provider.ts';
import { startProgram } from '../../program.ts';
import { expectToast } from '../expect-toast.ts';
import { test as base, expect } from '../fixtures.ts';
import { texts } from '../texts.ts';
import { asAdmin, newCustomer, openPage } from './customers.ts';

type Texts = ReturnType<typeof texts>;
const STRIPE = /^https:\/\/[^/]*stripe\.com\//;

const test = base.extend<{ stripeRequests: string[] }, { provider: CardProvider }>({
  provider: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const provider = await startCardProvider();
      await use(provider);
      await provider.close();
    },
    { scope: 'worker' },
  ],
  program: [
    async ({ provider }, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-e2e-stripe-'));
      try {
        const program = await startProgram({
          dataDir,
          env: {
            LIMITS_FACTOR: '1000',
            STRIPE_SECRET_KEY: provider.secretKey,
            STRIPE_PUBLISHABLE_KEY: provider.publishableKey,
            STRIPE_WEBHOOK_SECRET: provider.webhookSecret,
            STRIPE_API_BASE: provider.url,
            // For the test of approval, which so needs no program of its own.
            REAL_SENDING: 'approved',
          },
        });
        const { customer, admin } = JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8'));
        await use({ url: program.url, dataDir, customer, admin });
        await program.stop();
      } finally {
        await rm(dataDir, { recursive: true, force: true });
      }
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  /** Every request to the provider's own hosts; the emulator answers in their place. */
  stripeRequests: [
    async ({ context, provider }, use) => {
      const requests: string[] = [];
      await context.route(STRIPE, async (route) => {
        const url = new URL(route.request().url());
        requests.push(`${route.request().method()} ${url.host}${url.pathname}`);
        const response = await route.fetch({ url: `${provider.url}${url.pathname}${url.search}` });
        await route.fulfill({ response });
      });
      await use(requests);
    },
    { auto: true },
  ],
});

const dialog = (page: Page) => page.getByRole('dialog').first();
const history = (page: Page, t: Texts) =>
  page.getByRole('region', { name: t('payment.history') }).locator('tbody tr');

const addCard = async (page: Page, t: Texts, number: string) => {
  await page.getByRole('button', { name: t('cards.add') }).click();
  // The provider draws these fields, with its own texts.
  await dialog(page).getByLabel('Card number').fill(number);
  await dialog(page)
    .getByLabel('Expiration date')
    .fill(`12/${new Date().getFullYear() + 4}`);
  await dialog(page).getByLabel('Security code').fill('123');
  await dialog(page)
    .getByRole('button', { name: t('cards.save') })
    .click();
};

const pay = async (page: Page, t: Texts, last4: string, amount: string) => {
  await page.getByRole('button', { name: t('payments.top_up') }).click();
  const card = dialog(page).getByLabel(t('top_up.card'), { exact: true });
  const value = await card.locator('option').filter({ hasText: last4 }).getAttribute('value');
  await card.selectOption(value);
  await dialog(page).getByLabel(t('top_up.amount')).fill(amount);
  await dialog(page)
    .getByRole('button', { name: t('top_up.button') })
    .click();
};

const answerBank = (page: Page, answer: 'Complete' | 'Fail') =>
  page
    .getByRole('dialog', { name: '3D Secure' })
    .getByRole('button', { name: `${answer} authentication` })
    .click();

// One worker for both: another one would start the program anew for each of them, and once more for what follows.
test.describe.configure({ mode: 'default' });

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language, expectedStatuses: [400, 402] });
    const t = texts(language);

    test("cards and top-ups by Stripe's own form", async ({ page, program, provider, stripeRequests }) => {
      const { call } = await newCustomer(page, program);
      const taken = provider.taken().length;

      await test.step('the script is loaded on the payments page only, when a card is added', async () => {
        await openPage(page, '/dashboard/profile', t('profile.title'));
        await page.evaluate(() => Object.assign(window, { sameDocument: true }));
        await page.getByRole('link', { name: t('route.payments') }).click();
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('payments.title'));
        expect(await page.evaluate(() => 'sameDocument' in window)).toBe(false);
        expect(stripeRequests).toEqual([]);
        await page.goBack();
        await expect(page).toHaveURL('/dashboard/profile');
        await page.goForward();
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('payments.title'));
      });

      await test.step('adds a card', async () => {
        await addCard(page, t, '4242424242424242');
        await expect(page.getByText(t('wallet.cardAdded'))).toBeVisible();
        await expect(page.getByRole('button', { name: '•••• 4242' }).first()).toContainText(
          t('cards.default'),
        );
        expect(stripeRequests[0]).toMatch(/^GET js\.stripe\.com\//);
      });

      await test.step('a card that is refused when it is added says why', async () => {
        await addCard(page, t, '4000000000000002');
        await expect(dialog(page).getByRole('alert')).toHaveText('Your card was declined.');
        await page.keyboard.press('Escape');
        await expect(dialog(page)).toBeHidden();
      });

      await test.step('tops up', async () => {
        await pay(page, t, '4242', '20');
        await expect(dialog(page).getByRole('status')).toContainText(t('wallet.paid.SUCCESS'));
        await expect(dialog(page)).toBeHidden();
        await expect(history(page, t).first()).toContainText('HKD 156.00');
        expect(provider.taken().slice(taken)).toMatchObject([{ amount: 15_600, currency: 'hkd' }]);
      });

      await test.step('a card that is declined later says why', async () => {
        await addCard(page, t, '4000000000000341');
        await expect(dialog(page)).toBeHidden();
        await pay(page, t, '0341', '10');
        await expect(dialog(page).getByRole('alert')).toContainText(t('wallet.decline.declined'));
        await dialog(page)
          .getByRole('button', { name: t('layout.cancel') })
          .click();
        await expect(history(page, t).first()).toContainText(t('payment.status.FAILED'));
      });

      await test.step('a card that needs authentication, to add it and for each payment', async () => {
        await addCard(page, t, '4000002760003184');
        await answerBank(page, 'Complete');
        await expect(page.getByRole('button', { name: '•••• 3184' }).first()).toBeVisible();
        await pay(page, t, '3184', '10');
        await answerBank(page, 'Fail');
        await expect(dialog(page).getByRole('alert')).toBeVisible();
        await dialog(page)
          .getByRole('button', { name: t('top_up.button') })
          .click();
        await answerBank(page, 'Complete');
        await expect(dialog(page).getByRole('status')).toContainText(t('wallet.paid.SUCCESS'));
        await expect(dialog(page)).toBeHidden();
      });

      await test.step('every credit has its charge', async () => {
        expect((await call('GET /account/me/profile')).balance).toBe(30);
        expect(provider.taken()).toHaveLength(taken + 2);
      });

      await test.step('removes a card', async () => {
        await page.getByRole('button', { name: t('cards.remove', { card: 'Visa •••• 0341' }) }).click();
        await dialog(page)
          .getByRole('button', { name: t('cards.remove_button') })
          .click();
        await expect(page.getByText(t('wallet.cardRemoved'))).toBeVisible();
        await expect(page.getByRole('button', { name: '•••• 0341' })).toHaveCount(0);
      });
    });

    test('an admin approves an account for real sending', async ({ page, program }) => {
      const { email, accountId } = await newCustomer(page, program);
      const call = await asAdmin(page, program);
      await page.goto(`/dashboard/accounts?keyword=${accountId}`);
      const row = page.getByRole('row').filter({ hasText: email });
      await expect(row).toContainText(t('customers.state.unapproved'));
      await row.click();
      const approve = page
        .getByRole('dialog', { name: email, exact: true })
        .getByRole('button', { name: t('customers.approve'), exact: true });
      await approve.click();
      await expectToast(page, t, t('customers.approved'));
      await expect(approve).toBeHidden();
      await expect(row).toContainText(t('customers.state.active'));
      const limits = await call('GET /admin/accounts/:accountId/limits', { params: { accountId } });
      expect(limits).toMatchObject({ approvalNeeded: true, approvedAt: expect.any(String) });
    });
  });
