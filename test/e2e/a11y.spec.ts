import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../contract/ground/constants.ts';
import { callApi, MAILBOX_TOKEN } from '../api.ts';
import { expect, expectAccessible, newPerson, test, withSession } from './fixtures.ts';
import { expectSound } from './sound.ts';
import { texts } from './texts.ts';

const GUEST_PATHS = [
  '/',
  '/terms_condition',
  '/privacy_policy',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password?token=x',
  '/mailbox',
];

const open = async (page: Page, path: string) => {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
};

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language });
    const t = texts(language);

    for (const path of GUEST_PATHS)
      test(`${path} is accessible in light and dark, narrow and wide`, async ({ page }) => {
        await open(page, path);
        await expectSound(page, path);
      });

    test.describe('what is not there', () => {
      test.use({ expectedStatuses: [404] });

      test('/not_found is accessible in light and dark, narrow and wide', async ({ page }) => {
        await open(page, '/not_found');
        await expectSound(page, '/not_found');
      });
    });

    test('a form with faults is accessible', async ({ page }) => {
      await open(page, '/register');
      await page.getByRole('button', { name: t('register.button'), exact: true }).click();
      await expect(page.getByRole('alert')).toHaveCount(3);
      await expectSound(page, 'the form with its faults');
    });

    test('an opened mail is accessible', async ({ page, program }) => {
      const { email } = program.customer;
      await page.request.post(`${program.url}/api/account/forgotPassword`, { data: { email } });
      const mailed = async () => {
        const { mails } = (await callApi(program.url, 'GET /mailbox')).reply;
        return mails.some(({ to }) => to.includes(email));
      };
      await expect.poll(mailed).toBe(true);
      await open(page, `/mailbox#${MAILBOX_TOKEN}`);
      await page.getByRole('main').getByRole('link').filter({ hasText: email }).first().click();
      await expect(page.getByRole('article')).toBeVisible();
      await expectSound(page, 'an opened mail');
    });

    test.describe(() => {
      test.use({ expectedStatuses: [400, 401] });

      test('a refused login and a spent link are accessible', async ({ page }) => {
        await open(page, '/login');
        await page.getByLabel(t('guest.email'), { exact: true }).fill(newPerson().email);
        await page.getByLabel(t('guest.password'), { exact: true }).fill('something');
        await page.getByRole('button', { name: t('login.button'), exact: true }).click();
        await expect(page.getByRole('alert')).toBeVisible();
        await expectSound(page, 'the refused login');
        await open(page, '/activate?token=x');
        await expect(page.getByRole('alert')).toBeVisible();
        await expectSound(page, 'the spent link');
      });
    });

    for (const role of ['customer', 'admin'] as const)
      test(`the profile of the ${role} is accessible, its menus and its dialog too`, async ({
        page,
        program,
      }) => {
        await withSession(page, program, program[role]);
        await open(page, '/dashboard/profile');
        await expect(page.getByRole('definition').filter({ hasText: program[role].email })).toBeVisible();
        await expectSound(page, 'the profile');
        await page.getByRole('banner').getByRole('button', { name: program[role].email }).click();
        await page.getByRole('menuitem', { name: t('logout.button') }).waitFor();
        await expectAccessible(page, 'the menu');
        await page.getByRole('menuitem', { name: t('logout.button') }).click();
        await page
          .getByRole('dialog')
          .getByRole('button', { name: t('logout.button') })
          .waitFor();
        await expectSound(page, 'the dialog');
      });
  });

/** Presses Tab until the element has the focus, as someone without a mouse does. */
const tabTo = async (page: Page, role: 'link' | 'button' | 'textbox' | 'menuitem', name: string) => {
  const goal = page.getByRole(role, { name }).first();
  for (let presses = 0; presses < 40; presses += 1) {
    if (await goal.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reaches ${name}.`);
};

test('signing in and out works by keyboard alone', async ({ page, program }) => {
  const t = texts('en_US');
  await open(page, '/');
  await tabTo(page, 'link', t('public.sign_in'));
  await page.keyboard.press('Enter');
  // The address changes before the page does, and the page before it asks for an email address too.
  await expect(page.getByRole('heading', { level: 1, name: t('login.title') })).toBeVisible();
  await tabTo(page, 'textbox', t('guest.email'));
  await page.keyboard.type(program.customer.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(program.customer.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard/profile');
  // What the page still asks for when the session ends would be refused.
  await page.reload({ waitUntil: 'networkidle' });
  const openDialog = async () => {
    await page.keyboard.press('Enter');
    const logout = page.getByRole('menuitem', { name: t('logout.button') });
    await expect(logout).toBeVisible();
    await expect(async () => {
      await page.keyboard.press('ArrowDown');
      await expect(logout).toBeFocused({ timeout: 100 });
    }).toPass();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toBeVisible();
  };
  await tabTo(page, 'button', program.customer.email);
  await openDialog();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: t('layout.cancel') })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('banner').getByRole('button', { name: program.customer.email })).toBeFocused();
  await openDialog();
  await expect(dialog.getByRole('button', { name: t('layout.cancel') })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: t('logout.button') })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/login');
});

test('the first Tab offers to skip to the content', async ({ page }) => {
  const t = texts('en_US');
  await open(page, '/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: t('layout.skip') })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});
