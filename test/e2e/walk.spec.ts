import type { Page } from '@playwright/test';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../contract/ground/constants.ts';
import { MAILBOX_TOKEN } from '../api.ts';
import { expect, newPerson, type Person, test } from './fixtures.ts';
import { texts } from './texts.ts';

type Texts = ReturnType<typeof texts>;

const chooseLanguage = (page: Page, language: Language) =>
  page.getByRole('banner').getByRole('combobox').selectOption(language);

const logIn = async (page: Page, t: Texts, { email, password }: Person) => {
  await page.getByLabel(t('guest.email'), { exact: true }).fill(email);
  await page.getByLabel(t('guest.password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: t('login.button'), exact: true }).click();
};

/** Opens the newest mail to this person on the mailbox page and follows its link. */
const followMail = async (page: Page, t: Texts, { email }: Person, path: string) => {
  await page.getByRole('link', { name: t('mailbox.open') }).click();
  await expect(page).toHaveURL('/mailbox');
  const mails = page.getByRole('main').getByRole('link').filter({ hasText: email });
  const before = path === '/activate' ? 1 : 2;
  await expect(async () => {
    await page.getByRole('button', { name: t('mailbox.refresh') }).click();
    await expect(mails).toHaveCount(before, { timeout: 5_000 });
  }).toPass();
  await mails.first().click();
  const link = page.getByRole('article').getByRole('link').filter({ hasText: path });
  await expect(link).toHaveAttribute('href', new RegExp(`${path}\\?token=`));
  await link.click();
};

const card = (page: Page, label: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .getByRole('definition');

for (const language of LANGUAGES)
  test(`the whole way of a person in ${LANGUAGE_NAMES[language]}`, async ({ page, program }) => {
    const t = texts(language);
    const person = newPerson();
    const askProfile = (token: string | null) =>
      page.request.get(`${program.url}/api/account/me/profile`, { headers: { authorization: token ?? '' } });
    const token = () => page.evaluate(() => localStorage.getItem('token'));

    await test.step('opens the site in the language of choice', async () => {
      // As the operator does, with the link that the program printed.
      await page.goto(`/mailbox#${MAILBOX_TOKEN}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(texts('en_US')('mailbox.title'));
      await page.goto('/');
      await chooseLanguage(page, language);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('home.title'));
    });

    await test.step('registers', async () => {
      await page
        .getByRole('navigation')
        .getByRole('link', { name: t('public.sign_up') })
        .click();
      await page.getByLabel(t('guest.email'), { exact: true }).fill(person.email);
      await page.getByLabel(t('guest.password'), { exact: true }).fill(person.password);
      await page.getByLabel(t('register.repeat_password'), { exact: true }).fill(person.password);
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: t('register.button'), exact: true }).click();
      await expect(page.getByRole('status')).toContainText(t('account.registered'));
    });

    await test.step('activates by the link in the mailbox', async () => {
      await followMail(page, t, person, '/activate');
      await expect(page.getByText(t('activate.done'))).toBeVisible();
      await page.getByRole('link', { name: t('guest.to_profile') }).click();
    });

    await test.step('sees the profile', async () => {
      await expect(page).toHaveURL('/dashboard/profile');
      await expect(card(page, t('profile.email'))).toHaveText(person.email);
      await expect(card(page, t('profile.balance'))).toHaveText('0.00');
      await expect(card(page, t('profile.currency'))).toHaveText(/^(HKD|USD)$/);
      await expect(card(page, t('profile.account_id'))).toHaveText(/^[0-9a-f-]{36}/);
      await expect(card(page, t('profile.created'))).toContainText(String(new Date().getFullYear()));
      await expect(page.getByRole('banner')).toContainText(person.email);
    });

    await test.step('changes the language and back', async () => {
      const other = LANGUAGES.find((one) => one !== language) ?? language;
      await chooseLanguage(page, other);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(texts(other)('profile.title'));
      await chooseLanguage(page, language);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('profile.title'));
    });

    await test.step('logs out by the dialog, and the server forgets the session', async () => {
      // What the page still asks for when the session ends would be refused.
      await page.waitForLoadState('networkidle');
      const ended = await token();
      expect((await askProfile(ended)).status()).toBe(200);
      const openDialog = async () => {
        await page.getByRole('banner').getByRole('button', { name: person.email }).click();
        await page.getByRole('menuitem', { name: t('logout.button') }).click();
        await expect(page.getByRole('dialog')).toContainText(t('logout.title'));
      };
      await openDialog();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('layout.cancel') })
        .click();
      await expect(page.getByRole('dialog')).toBeHidden();
      expect(await token()).toBe(ended);
      await openDialog();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('logout.button') })
        .click();
      await expect(page).toHaveURL('/login');
      expect(await token()).toBeNull();
      expect((await askProfile(ended)).status()).toBe(401);
    });

    await test.step('logs in', async () => {
      await logIn(page, t, person);
      await expect(page).toHaveURL('/dashboard/profile');
      await expect(card(page, t('profile.email'))).toHaveText(person.email);
    });

    const other = await token();
    const changed = { ...person, password: newPerson().password };
    await test.step('resets the password by the link in the mailbox', async () => {
      // As on another machine: without a session, and without a page that still asks for something.
      await page.goto('/favicon.svg');
      await page.evaluate(() => localStorage.removeItem('token'));
      await page.goto('/login');
      await page.getByRole('link', { name: t('guest.to_forgot_password') }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('forgot_password.title'));
      await page.getByLabel(t('guest.email'), { exact: true }).fill(person.email);
      await page.getByRole('button', { name: t('forgot_password.button'), exact: true }).click();
      await expect(page.getByRole('status')).toContainText(t('forgot_password.sent'));
      await followMail(page, t, person, '/reset-password');
      await page.getByLabel(t('reset_password.new_password'), { exact: true }).fill(changed.password);
      await page.getByLabel(t('reset_password.confirm_password'), { exact: true }).fill(changed.password);
      await page.getByRole('button', { name: t('reset_password.button'), exact: true }).click();
      await page.getByRole('link', { name: t('guest.to_profile') }).click();
      await expect(card(page, t('profile.email'))).toHaveText(person.email);
    });

    await test.step('the other session has ended and the old password is refused', async () => {
      expect((await askProfile(other)).status()).toBe(401);
      const tryLogin = (data: Person) => page.request.post(`${program.url}/api/account/login`, { data });
      expect((await tryLogin(person)).status()).toBe(401);
      expect((await tryLogin(changed)).status()).toBe(200);
    });
  });
