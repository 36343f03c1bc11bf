import { expect, test, withSession } from './fixtures.ts';
import { texts } from './texts.ts';

const en = texts('en_US');

test('a page of the dashboard without a session leads to login, and from there back', async ({
  page,
  program,
}) => {
  await page.goto('/dashboard/profile?from=mail');
  await expect(page).toHaveURL(/\/login\?/);
  await page.getByLabel(en('guest.email'), { exact: true }).fill(program.customer.email);
  await page.getByLabel(en('guest.password'), { exact: true }).fill(program.customer.password);
  await page.getByRole('button', { name: en('login.button'), exact: true }).click();
  await expect(page).toHaveURL('/dashboard/profile?from=mail');
});

test('/dashboard leads to login, then to the profile', async ({ page, program }) => {
  await page.goto('/dashboard');
  await expect(page).toHaveURL('/login');
  await withSession(page, program, program.customer);
  await page.goto('/dashboard');
  await expect(page).toHaveURL('/dashboard/profile');
});

test('/qf leads a guest to login and a customer to the page that says there is nothing', async ({
  page,
  program,
}) => {
  await page.goto('/qf');
  await expect(page).toHaveURL(/\/login/);
  await withSession(page, program, program.customer);
  await page.goto('/qf');
  await expect(page).toHaveURL('/not_found');
});

test.describe('what is not there', () => {
  test.use({ expectedStatuses: [404] });

  for (const path of ['/nowhere', '/dashboard/nowhere', '/terms_condition/nowhere'])
    test(`the unknown path ${path} leads to the page that says so`, async ({ page, program }) => {
      await withSession(page, program, program.customer);
      const answer = await page.goto(path);
      expect(answer?.status()).toBe(404);
      await expect(page).toHaveURL('/not_found');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page Not found');
      await expect(page).toHaveTitle(/^.+ .*Posthorn$/);
    });
});

test('robots.txt is there as the built pages have it, and a file that is not there is no page', async ({
  page,
}) => {
  const robots = await page.request.get('/robots.txt');
  expect(robots.status()).toBe(200);
  expect(robots.headers()['content-type']).toContain('text/plain');
  expect(await robots.text()).toMatch(/^User-agent: \*$/m);
  const gone = await page.request.get('/llms.txt');
  expect(gone.status()).toBe(404);
  expect(await gone.text()).not.toContain('<html');
});

test('every page has its name and the product in its title', async ({ page, program }) => {
  const titles: string[] = [];
  const open = async (path: string) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page).toHaveTitle(/^.+ .*Posthorn$/);
    titles.push(await page.title());
  };
  for (const path of ['/', '/terms_condition', '/privacy_policy', '/login', '/register', '/forgot-password'])
    await open(path);
  await open('/reset-password?token=x');
  await withSession(page, program, program.customer);
  await open('/dashboard/profile');
  expect(new Set(titles).size).toBe(titles.length);
});

test('an admin call is refused to a customer and to a guest by the server itself', async ({
  page,
  program,
}) => {
  const ask = (token?: string) =>
    page.request.get(`${program.url}/api/accounts`, { headers: token ? { authorization: token } : {} });
  expect((await ask()).status()).toBe(401);
  expect((await ask(await withSession(page, program, program.customer))).status()).toBe(403);
  expect((await ask(await withSession(page, program, program.admin))).status()).toBe(200);
});

test.describe(() => {
  test.use({ expectedStatuses: [401] });

  test('a session that the server no longer knows leads to login, which says why', async ({
    page,
    program,
  }) => {
    const token = await withSession(page, program, program.customer);
    await page.request.post(`${program.url}/api/account/logout`, { headers: { authorization: token } });
    await page.goto('/dashboard/profile');
    await expect(page).toHaveURL(/\/login/);
    await expect(page.getByText(en('login.expired'))).toBeVisible();
  });
});
