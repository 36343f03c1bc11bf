import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { asAdmin, newCustomer, openPage } from '../customer/customers.ts';
import { expect, test } from '../fixtures.ts';
import { texts } from '../texts.ts';

test.use({ viewport: { width: 1440, height: 900 }, expectedStatuses: [400, 401] });

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language });
    const t = texts(language);

    test('an admin opens the pages of the job queue by a link that works once, and for nobody else', async ({
      page,
      program,
      context,
      browser,
    }) => {
      const elsewhere: string[] = [];
      context.on('request', (request) => {
        if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(program.url))
          elsewhere.push(request.url());
      });
      const admin = await asAdmin(page, program);
      const { lanes } = await admin('GET /admin/lanes');
      const lane = lanes.find(({ channel, provider }) => channel === 'sms' && provider === 'simulator');
      const { _id: jobId } = await admin('POST /admin/lanes/:laneId/test', {
        params: { laneId: String(lane?.id) },
        body: { phone: '+85261112222', message: 'where are the jobs?' },
      });
      await openPage(page, `/dashboard/queue/${jobId}`, t('queue.title'));
      const [entering, tab] = await Promise.all([
        context.waitForEvent('request', (request) => request.url().includes('/jobs/enter?')),
        context.waitForEvent('page'),
        page.getByRole('button', { name: t('queue.jobs'), exact: true }).click(),
      ]);
      await expect(tab).toHaveURL('/jobs');
      await expect(tab.getByRole('heading', { name: 'Overview' })).toBeVisible();
      await tab.getByRole('link', { name: 'Queues' }).first().click();
      await tab.getByRole('link', { name: 'accounts.remove-expired-tokens' }).first().click();
      await expect(tab.getByRole('heading', { name: 'accounts.remove-expired-tokens' })).toBeVisible();
      expect(elsewhere).toEqual([]);
      const foreign = tab.locator('link[href^="https:"], script[src^="https:"]');
      await expect(foreign).toHaveCount(0);

      const { entries } = await admin('GET /admin/audit');
      expect(entries).toContainEqual(
        expect.objectContaining({ call: 'GET /jobs/*', subject: 'queues/accounts.remove-expired-tokens' }),
      );

      const again = await tab.goto(entering.url());
      expect(again?.status()).toBe(400);
      await expect(tab.locator('body')).toContainText('E_TOKEN_INVALID');
      const stranger = await browser.newContext();
      const refused = await stranger.request.get(`${program.url}/jobs`);
      expect(refused.status()).toBe(401);
      await stranger.close();
      await tab.close();

      await newCustomer(page, program);
      await page.goto(`/dashboard/queue/${jobId}`);
      await expect(page).toHaveURL('/not_found');
    });
  });
