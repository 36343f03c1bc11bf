import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, test, withSession } from './fixtures.ts';
import { untilQueryServes } from './office/query-service.ts';
import { unfold } from './unfold.ts';

/** The budget as a browser meets it: every script that the first load fetches, compressed. */
const scriptsOf = async (page: Page, path: string): Promise<number> => {
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
  });
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1000;
};

test('the home page loads at most 120 kB of scripts', async ({ page }) => {
  const kilobytes = await scriptsOf(page, '/');
  expect(kilobytes).toBeGreaterThan(20);
  expect(kilobytes).toBeLessThanOrEqual(120);
});

test('the dashboard loads at most 250 kB of scripts', async ({ page, program }) => {
  await withSession(page, program, program.customer);
  const kilobytes = await scriptsOf(page, '/dashboard/profile');
  expect(kilobytes).toBeGreaterThan(20);
  expect(kilobytes).toBeLessThanOrEqual(250);
});

test("a customer loads no code of the admins' parts", async ({ page, program }) => {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
  });
  await untilQueryServes(program);
  const adminScripts = async (account: typeof program.customer) => {
    await withSession(page, program, account);
    scripts.length = 0;
    for (const path of ['/dashboard/messages', '/dashboard/settings', '/dashboard/retention', '/qf/query']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      if (path !== '/dashboard/messages') continue;
      await unfold(page.getByRole('button', { name: 'Filters' }));
      const last = account === program.admin ? 'Account' : 'Status';
      await page.getByRole('combobox', { name: last, exact: true }).waitFor();
    }
    const found = scripts.flatMap((path) => /\/(admin-\w+|retention|query)-[^/]+\.js$/.exec(path)?.[1] ?? []);
    return [...new Set(found)];
  };
  expect(await adminScripts(program.customer)).toEqual([]);
  expect(await adminScripts(program.admin)).toEqual(
    expect.arrayContaining(['admin-fields', 'retention', 'query']),
  );
});
