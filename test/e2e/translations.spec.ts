import { expect, test } from './fixtures.ts';

test('a text that is missing shows its label in brackets', async ({ page }) => {
  await page.route('**/api/translations*', async (route) => {
    const answer = await route.fetch();
    const content = await answer.json();
    delete content.translations.en_US['login.title'];
    await route.fulfill({ response: answer, json: content });
  });
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('[login.title]');
});

test('the texts are loaded once and then come from the cache, by their version', async ({ page }) => {
  const addresses: string[] = [];
  page.on('response', async (response) => {
    if (response.url().includes('/api/translations'))
      addresses.push(`${response.fromServiceWorker()} ${response.url()}`);
  });
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const version = await page.evaluate(
    async () => (await (await fetch('/api/startup')).json()).translationVersion,
  );
  expect(addresses).toEqual([expect.stringContaining(`v=${version}&language=en_US`)]);
  const seconds = await page.evaluate(
    async (v) => (await fetch(`/api/translations?v=${v}`)).headers.get('cache-control'),
    version,
  );
  expect(seconds).toMatch(/immutable/);
});
