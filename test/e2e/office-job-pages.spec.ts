import { LANGUAGES } from '../../contract/constants.ts';
import { callApi } from '../api.ts';
import { asAdmin, openPage } from './customers.ts';
import { expect, test, withSession } from './fixtures.ts';
import { texts } from './texts.ts';

test.use({ viewport: { width: 1440, height: 900 } });

/** A queue that every program has, early in the list. */
const QUEUE = 'accounts.remove-expired-tokens';

for (const language of LANGUAGES)
  test.describe(language, () => {
    // A ticket that was used, and pages that are asked for without one.
    test.use({ language, expectedStatuses: [400, 401] });
    const t = texts(language);

    test('an admin opens the pages of the job queue by a link that works once, and a customer gets nothing', async ({
      page,
      program,
      context,
      browser,
    }) => {
      const token = await withSession(page, program, program.customer);
      expect((await callApi(program.url, 'POST /admin/jobs/ticket', { token })).status).toBe(403);
      expect((await page.goto('/jobs'))?.status()).toBe(401);
      for (const path of ['overview', 'queue/00000000-0000-4000-8000-000000000000']) {
        await page.goto(`/dashboard/${path}`);
        await expect(page).toHaveURL('/not_found');
      }

      const admin = await asAdmin(page, program);
      const open = async () => {
        const [jobs, asked] = await Promise.all([
          context.waitForEvent('page', { timeout: 0 }),
          page.waitForResponse(/\/api\/admin\/jobs\/ticket$/, { timeout: 0 }),
          page.getByRole('button', { name: t('queue.jobs'), exact: true }).click(),
        ]);
        const { path } = (await asked.json()) as { path: string };
        await expect(jobs).toHaveURL(/\/jobs\/?$/);
        return { jobs, path };
      };
      const heading = (name: string) => jobs.getByRole('heading', { level: 1, name, exact: true });

      await openPage(page, '/dashboard/overview', t('overview.title'));
      const { jobs, path } = await open();
      await expect(heading('Overview')).toBeVisible();
      await jobs.getByRole('link', { name: 'Queues', exact: true }).first().click();
      await expect(heading('Queues')).toBeVisible();
      await jobs.getByRole('link', { name: QUEUE, exact: true }).first().click();
      await expect(jobs).toHaveURL(new RegExp(`/jobs/queues/${QUEUE}`));
      await expect(heading(QUEUE)).toBeVisible();

      const elsewhere = await browser.newContext({ baseURL: program.url });
      for (const [address, status] of [
        [path, 400],
        ['/jobs/queues', 401],
      ] as const)
        expect((await elsewhere.request.get(address)).status()).toBe(status);
      await elsewhere.close();
      expect((await jobs.goto(path))?.status()).toBe(400);
      await expect(jobs.locator('body')).toContainText('E_TOKEN_INVALID');
      // It goes by the cookie that the ticket became.
      await jobs.goto('/jobs/queues');
      await expect(heading('Queues')).toBeVisible();
      await jobs.close();

      const { _id: accountId } = await admin('GET /account/me/profile');
      const { messages } = await admin('GET /account/:accountId/messages', { params: { accountId } });
      await openPage(page, `/dashboard/queue/${messages[0]?._id}`, t('queue.title'));
      const again = await open();
      expect(again.path).not.toBe(path);
      await expect(again.jobs.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
    });
  });
