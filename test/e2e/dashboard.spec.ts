import { newCustomer, openPage } from './customer/customers.ts';
import { expect, test, withSession } from './fixtures.ts';
import { texts } from './texts.ts';

const en = texts('en_US');

test('the sidebar and the menu lead to the pages, in the order of the specification', async ({
  page,
  program,
}) => {
  await newCustomer(page, program);
  await openPage(page, '/dashboard/profile', 'Profile');
  const entries = page.getByRole('navigation').getByRole('link');
  await expect(entries).toHaveText([
    'Profile',
    'Devices',
    'Messages',
    'Profile Settings',
    'Payments',
    'Integration',
    'Billing',
  ]);
  await page.getByRole('banner').getByRole('button', { name: '@' }).click();
  await page.getByRole('menuitem', { name: 'Profile Settings' }).click();
  await expect(page).toHaveURL('/dashboard/settings');
  await expect(page).toHaveTitle(/^Profile Settings /);
});

test("an admin's sidebar begins with the overview, and signing in leads to the profile all the same", async ({
  page,
  program,
}) => {
  await withSession(page, program, program.admin);
  await page.goto('/dashboard');
  await expect(page).toHaveURL('/dashboard/profile');
  // The admin's entries are there once the profile is known.
  const entries = page.getByRole('navigation').getByRole('link');
  await expect(entries.first()).toHaveText('Overview');
  const shown = await entries.allTextContents();
  expect(shown.slice(-3)).toEqual(['Report', 'Phones', 'QF Query']);
});

test('on a phone the keyboard passes by the closed navigation, and Escape closes the open one', async ({
  page,
  program,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await withSession(page, program, program.customer);
  await openPage(page, '/dashboard/profile', 'Profile');
  const navigation = page.locator('nav');
  await expect(navigation).toBeHidden();
  const burger = page.getByRole('button', { name: en('layout.open_menu') });
  await burger.focus();
  for (let presses = 0; presses < 8; presses += 1) {
    await page.keyboard.press('Tab');
    await expect(navigation.locator(':focus')).toHaveCount(0);
  }
  await burger.focus();
  await page.keyboard.press('Enter');
  const link = navigation.getByRole('link', { name: 'Payments' });
  await expect(link).toBeVisible();
  await link.focus();
  await page.keyboard.press('Escape');
  await expect(navigation).toBeHidden();
  await expect(burger).toBeFocused();
  await burger.click();
  await navigation.getByRole('link', { name: 'Profile Settings' }).click();
  await expect(page).toHaveURL('/dashboard/settings');
  await expect(navigation).toBeHidden();
});

test('signing in as someone else in another tab changes the account on show', async ({
  page,
  context,
  program,
}) => {
  await withSession(page, program, program.customer);
  await openPage(page, '/dashboard/profile', 'Profile');
  const email = page.locator('[data-card="email"]');
  await expect(email).toContainText(program.customer.email);
  const other = await context.newPage();
  await withSession(other, program, program.admin);
  await expect(email).toContainText(program.admin.email);
  await expect(page.getByText(program.customer.email)).toHaveCount(0);
});

test('logging out while the server is away ends the session here and says what could not be done', async ({
  page,
  program,
  complaints,
}) => {
  await withSession(page, program, program.customer);
  await openPage(page, '/dashboard/profile', 'Profile');
  await page.route('**/api/account/logout', (route) => route.abort());
  await page.getByRole('banner').getByRole('button', { name: program.customer.email }).click();
  await page.getByRole('menuitem', { name: en('logout.button') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: en('logout.button') })
    .click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText(en('login.unconfirmed'))).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  // The browser reports the call that this test cut off.
  expect(complaints.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')]);
});
