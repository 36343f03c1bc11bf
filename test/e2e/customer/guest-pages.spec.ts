import type { Page, Request, Route } from '@playwright/test';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { expect, newPerson, test } from '../fixtures.ts';
import { texts } from '../texts.ts';

/** The wording of the specification, in its sections 5 and 8. */
const SAID = {
  passwordEmpty: 'Password should not be empty.',
  emailInvalid: 'Email is invalid.',
  passwordsDiffer: 'Passwords should match.',
  termsMissing: 'Please accept term and condition!',
  failed: 'Error has occurred.',
  resetSent: 'An Email has been sent to you with resetting password instructions.',
};

const en = texts('en_US');

const countCalls = (page: Page, path: string): (() => number) => {
  let count = 0;
  page.on('request', (request: Request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === `/api${path}`) count += 1;
  });
  return () => count;
};

/** Holds a call back until the test lets it go, as a slow network does, so that a second click meets the first. */
const holdBack = async (page: Page, path: string): Promise<() => Promise<void>> => {
  const held: Route[] = [];
  await page.route(`**/api${path}`, (route) => void held.push(route));
  return async () => {
    await expect.poll(() => held.length).toBe(1);
    await held.pop()?.continue();
  };
};

test.describe('login', () => {
  const button = (page: Page) => page.getByRole('button', { name: en('login.button'), exact: true });
  const email = (page: Page) => page.getByLabel(en('guest.email'), { exact: true });
  const password = (page: Page) => page.getByLabel(en('guest.password'), { exact: true });

  test('faults stand beside their fields, all at once, and the first takes the focus', async ({ page }) => {
    await page.goto('/login');
    const sent = countCalls(page, '/account/login');
    await email(page).fill('nobody');
    await button(page).click();
    await expect(email(page)).toHaveAccessibleDescription(SAID.emailInvalid);
    await expect(password(page)).toHaveAccessibleDescription(SAID.passwordEmpty);
    await expect(email(page)).toBeFocused();
    await email(page).fill('nobody@studio.photography');
    await button(page).click();
    await expect(page.getByRole('alert')).toHaveText(SAID.passwordEmpty);
    await expect(password(page)).toBeFocused();
    expect(sent()).toBe(0);
  });

  test.describe(() => {
    test.use({ expectedStatuses: [401] });

    test("a refusal shows 'Error: ' with the server's words and keeps what was typed", async ({ page }) => {
      const person = newPerson();
      await page.goto('/login');
      await email(page).fill(person.email);
      await password(page).fill(person.password);
      await button(page).click();
      await expect(page.getByRole('alert')).toHaveText(`Error: ${en('error.E_BAD_CREDENTIALS')}`);
      await expect(email(page)).toHaveValue(person.email);
      await expect(password(page)).toHaveValue(person.password);
      await expect(password(page)).toBeFocused();
    });

    test('a double click, a double Enter and two submits in one moment send once', async ({ page }) => {
      await page.goto('/login');
      const letGo = await holdBack(page, '/account/login');
      const sent = countCalls(page, '/account/login');
      const answered = async () => {
        await expect(page.getByRole('alert')).toBeHidden();
        await letGo();
        await expect(page.getByRole('alert')).toBeVisible();
      };
      await email(page).fill(newPerson().email);
      await password(page).fill('something');
      await button(page).dblclick();
      await answered();
      expect(sent()).toBe(1);
      await password(page).focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await answered();
      expect(sent()).toBe(2);
      await page.locator('form').evaluate((form: HTMLFormElement) => {
        form.requestSubmit();
        form.requestSubmit();
      });
      await answered();
      expect(sent()).toBe(3);
    });
  });

  test.describe(() => {
    test.use({ expectedStatuses: [401], language: 'zh_HK' });

    test("the server's words come in the reader's language", async ({ page }) => {
      const zh = texts('zh_HK');
      await page.goto('/login');
      await page.getByLabel(zh('guest.email'), { exact: true }).fill(newPerson().email);
      await page.getByLabel(zh('guest.password'), { exact: true }).fill('something');
      await page.getByRole('button', { name: zh('login.button'), exact: true }).click();
      await expect(page.getByRole('alert')).toContainText(zh('error.E_BAD_CREDENTIALS'));
    });
  });

  test('leads to the forgotten password and to registration', async ({ page }) => {
    await page.goto('/login');
    await page.getByRole('link', { name: en('guest.to_forgot_password') }).click();
    await expect(page).toHaveURL('/forgot-password');
    await page.getByRole('link', { name: en('guest.to_register') }).click();
    await expect(page).toHaveURL('/register');
    await page.getByRole('link', { name: en('guest.to_login') }).click();
    await expect(page).toHaveURL('/login');
  });

  for (const language of LANGUAGES)
    test(`the flags change the language to ${language} and it stays`, async ({ page }) => {
      await page.goto('/login');
      const name = language === 'en_US' ? 'English' : '繁體中文';
      await page.getByRole('button', { name, exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(texts(language)('login.title'));
      await page.reload();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(texts(language)('login.title'));
      expect(await page.evaluate(() => localStorage.getItem('activeLang'))).toBe(language);
    });
});

test.describe('register', () => {
  const button = (page: Page) => page.getByRole('button', { name: en('register.button'), exact: true });
  const email = (page: Page) => page.getByLabel(en('guest.email'), { exact: true });
  const password = (page: Page) => page.getByLabel(en('guest.password'), { exact: true });
  const repeat = (page: Page) => page.getByLabel(en('register.repeat_password'), { exact: true });
  const terms = (page: Page) => page.getByRole('checkbox');

  test('faults stand beside their fields, all at once, and the first takes the focus', async ({ page }) => {
    const person = newPerson();
    await page.goto('/register');
    const sent = countCalls(page, '/account/register');
    await repeat(page).fill(person.password);
    await button(page).click();
    await expect(page.getByRole('alert')).toHaveText([
      SAID.emailInvalid,
      SAID.passwordEmpty,
      SAID.passwordsDiffer,
      SAID.termsMissing,
    ]);
    await expect(email(page)).toBeFocused();
    await email(page).fill(person.email);
    await password(page).fill(person.password);
    await button(page).click();
    await expect(page.getByRole('alert')).toHaveText(SAID.termsMissing);
    await expect(terms(page)).toBeFocused();
    expect(sent()).toBe(0);
    await terms(page).check();
    await button(page).dblclick();
    await expect(page.getByRole('status')).toContainText(en('account.registered'));
    expect(sent()).toBe(1);
  });

  test('a taken email gets the same answer as a free one', async ({ page, program }) => {
    await page.goto('/register');
    await email(page).fill(program.customer.email);
    await password(page).fill('another long password');
    await repeat(page).fill('another long password');
    await terms(page).check();
    await button(page).click();
    await expect(page.getByRole('status')).toContainText(en('account.registered'));
  });

  test.describe(() => {
    test.use({ expectedStatuses: [400, 422] });

    test("a refusal shows 'Error: ' with the server's words and keeps what was typed", async ({ page }) => {
      const person = newPerson();
      await page.goto('/register');
      await email(page).fill(person.email);
      await password(page).fill('short');
      await repeat(page).fill('short');
      await terms(page).check();
      await button(page).click();
      await expect(page.getByRole('alert')).toHaveText(/^Error: .+/);
      await expect(email(page)).toHaveValue(person.email);
      await expect(password(page)).toHaveValue('short');
      await expect(terms(page)).toBeChecked();
      await expect(password(page)).toBeFocused();
    });
  });

  test('the terms and the privacy policy open beside the form', async ({ page, context }) => {
    await page.goto('/register');
    await email(page).fill('customer@example.com');
    for (const [label, path] of [
      ['footer.terms', '/terms_condition'],
      ['footer.privacy', '/privacy_policy'],
    ] as const) {
      const opened = context.waitForEvent('page');
      await page.getByRole('link', { name: en(label), exact: true }).click();
      const beside = await opened;
      await expect(beside).toHaveURL(path);
      await expect(beside.getByRole('heading', { level: 1 })).toBeVisible();
      await beside.close();
    }
    await expect(email(page)).toHaveValue('customer@example.com');
  });

  test('takes over the email from the home page', async ({ page }) => {
    await page.goto('/');
    await page.getByLabel(en('home.sign_up.email')).fill('customer@example.com');
    await page.getByRole('button', { name: en('home.sign_up.button') }).click();
    await expect(page).toHaveURL('/register');
    await expect(email(page)).toHaveValue('customer@example.com');
  });
});

test.describe('forgot password', () => {
  const button = (page: Page) =>
    page.getByRole('button', { name: en('forgot_password.button'), exact: true });
  const email = (page: Page) => page.getByLabel(en('guest.email'), { exact: true });

  test('an invalid email is told and nothing is sent', async ({ page }) => {
    await page.goto('/forgot-password');
    const sent = countCalls(page, '/account/forgotPassword');
    await email(page).fill('someone@nowhere');
    await button(page).click();
    await expect(page.getByRole('alert')).toHaveText(SAID.emailInvalid);
    await expect(email(page)).toBeFocused();
    expect(sent()).toBe(0);
  });

  test('an email without an account gets the same answer as one with', async ({ page, program }) => {
    for (const address of [newPerson().email, program.admin.email]) {
      await page.goto('/forgot-password');
      await email(page).fill(address);
      await button(page).click();
      await expect(page.getByRole('status')).toContainText(SAID.resetSent);
    }
  });
});

test.describe('reset password', () => {
  test('without a token it leads to login', async ({ page }) => {
    await page.goto('/reset-password');
    await expect(page).toHaveURL('/login');
  });

  test.describe(() => {
    test.use({ expectedStatuses: [400, 410, 422] });

    test('a token that is not valid fails with the general words', async ({ page }) => {
      await page.goto('/reset-password?token=not-a-token');
      await page.getByLabel(en('reset_password.new_password'), { exact: true }).fill('another long password');
      await page
        .getByLabel(en('reset_password.confirm_password'), { exact: true })
        .fill('another long password');
      await page.getByRole('button', { name: 'Change password', exact: true }).click();
      await expect(page.getByRole('alert')).toContainText(SAID.failed);
      await expect(page.getByLabel(en('reset_password.new_password'), { exact: true })).toHaveValue(
        'another long password',
      );
    });
  });
});

test.describe('activate', () => {
  test('without a token it leads to login', async ({ page }) => {
    await page.goto('/activate');
    await expect(page).toHaveURL('/login');
  });

  test.describe(() => {
    test.use({ expectedStatuses: [400, 410, 422] });

    test('a token that is not valid fails with the general words', async ({ page }) => {
      await page.goto('/activate?token=not-a-token');
      await expect(page.getByRole('alert')).toContainText(SAID.failed);
    });
  });
});
