import { randomBytes, randomUUID } from 'node:crypto';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { asAdmin, openPage } from '../customer/customers.ts';
import { expectToast } from '../expect-toast.ts';
import { expect, test } from '../fixtures.ts';
import { texts } from '../texts.ts';

test.use({ viewport: { width: 1440, height: 900 } });

for (const language of LANGUAGES)
  test.describe(language, () => {
    // Settings that can't be used, an account that does not exist, and a test of a lane that is paused.
    test.use({ language, expectedStatuses: [400, 409] });
    const t = texts(language);

    test('an admin makes a lane, tests, pauses and edits it, sets the policy of its route and removes it', async ({
      page,
      program,
    }) => {
      test.setTimeout(240_000);
      const lane = `office-${randomBytes(4).toString('hex')}`;
      const route = `route-${lane}`;
      const button = (name: string) => page.getByRole('button', { name, exact: true });
      const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
      const toasted = (label: string, params = {}) => expectToast(page, t, t(label, params));
      const call = await asAdmin(page, program);
      const stored = async () =>
        (await call('GET /admin/lanes')).lanes.find(({ name, mode }) => name === lane && mode !== 'removed');
      await openPage(page, '/dashboard/lanes', t('lanes.title'));
      const lanes = page.getByRole('table', { name: t('lanes.title'), exact: true });
      const row = lanes.getByRole('row').filter({ hasText: lane });
      const panel = dialog(lane);

      await button(t('lanes.make')).click();
      const making = dialog(t('lanes.make'));
      const make = making.getByRole('button', { name: t('lanes.make'), exact: true });
      const settings = making.getByLabel(t('lanes.settings'), { exact: true });
      await making.getByLabel(t('lanes.name'), { exact: true }).fill('not a name');
      await settings.fill('nonsense');
      await make.click();
      await expect(making.getByText(t('lanes.name_invalid'))).toBeVisible();
      await expect(making.getByText(t('lanes.line_invalid', { line: 'nonsense' }))).toBeVisible();
      await making.getByLabel(t('lanes.name'), { exact: true }).fill(lane);
      await making.getByLabel(t('lanes.provider'), { exact: true }).selectOption('simulator');
      await settings.fill('SIMULATOR_URL=somewhere');
      await make.click();
      const [before] = t('error.E_LANE_SETTINGS', { fault: '|' }).split('|');
      await expect(page.getByRole('alert').filter({ hasText: before ?? '' })).toBeVisible();
      expect(await stored()).toBeUndefined();
      await settings.fill('');
      await make.click();
      await toasted('lanes.made');
      await expect(making).toBeHidden();
      await expect(row).toContainText('simulator');
      expect(await stored()).toMatchObject({ provider: 'simulator', source: 'admin', mode: 'on' });

      await row.click();
      await panel.getByRole('button', { name: t('lanes.test'), exact: true }).click();
      const testing = dialog(t('lanes.test_title', { lane }));
      const send = testing.getByRole('button', { name: t('lanes.test'), exact: true });
      await expect(testing).toContainText(t('lanes.test_hint'));
      await send.click();
      await expect(testing.getByText(t('lanes.test_to_missing'))).toBeVisible();
      await testing.getByLabel(t('lanes.test_to'), { exact: true }).fill('+85261112222');
      await testing.getByLabel(t('lanes.test_text'), { exact: true }).fill(`does ${lane} work?`);
      await send.click();
      await toasted('lanes.tested');
      const { _id: accountId } = await call('GET /account/me/profile');
      const { messages } = await call('GET /account/:accountId/messages', { params: { accountId } });
      const jobId = messages.find(({ message }) => message === `does ${lane} work?`)?._id ?? '';
      expect((await call('GET /job/:jobId/queue', { params: { jobId } })).lane?.name).toBe(lane);

      const setMode = async (mode: 'on' | 'paused' | 'draining') => {
        await panel.getByRole('button', { name: t(`lanes.set.${mode}`), exact: true }).click();
        await toasted('bulk.ok');
        await expect(panel.getByRole('button', { name: t(`lanes.set.${mode}`), exact: true })).toBeHidden();
        if (mode !== 'on') await expect(row).toContainText(t(`lane.mode.${mode}`));
        expect(await stored()).toMatchObject({ mode });
      };
      await setMode('paused');
      await panel.getByRole('button', { name: t('lanes.test'), exact: true }).click();
      await testing.getByLabel(t('lanes.test_to'), { exact: true }).fill('+85261112222');
      await testing.getByLabel(t('lanes.test_text'), { exact: true }).fill('while it is paused');
      await send.click();
      await toasted('error.E_LANE_NOT_ON');
      await testing.getByRole('button', { name: t('layout.cancel'), exact: true }).click();
      await expect(testing).toBeHidden();
      await setMode('draining');
      await setMode('on');
      await expect(row).not.toContainText(t('lane.mode.draining'));

      await panel.getByRole('button', { name: t('lanes.edit'), exact: true }).click();
      const editing = dialog(t('lanes.edit_title', { lane }));
      const field = (label: string) => editing.getByLabel(t(label), { exact: true });
      const save = editing.getByRole('button', { name: t('contacts.save'), exact: true });
      await expect(editing).toContainText(t('lanes.edit_hint'));
      await field('lanes.cost').fill('cheap');
      await save.click();
      await expect(editing.getByText(t('lanes.cost_invalid'))).toBeVisible();
      await field('lanes.cost').fill('0.0125');
      await field('lanes.route').fill(route);
      await field('lanes.preference').fill('7');
      await field('lanes.countries').fill('is');
      const nobody = randomUUID();
      const dedicated = field('lanes.dedicated');
      await dedicated.fill(`${accountId}\n${nobody}`);
      await save.click();
      await expect(editing.getByText(t('error.E_ACCOUNT_UNKNOWN', { accountId: nobody }))).toBeVisible();
      await expect(dedicated).toHaveAttribute('aria-invalid', 'true');
      expect(await stored()).toMatchObject({ route: 'sms', dedicatedTo: [] });
      await dedicated.fill(accountId);
      await save.click();
      await toasted('bulk.ok');
      await expect(editing).toBeHidden();
      await expect(row).toContainText('0.0125');
      await expect(panel).toContainText(route);
      expect(await stored()).toMatchObject({
        cost: '0.0125',
        route,
        preference: 7,
        countries: ['IS'],
        dedicatedTo: [accountId],
      });

      const policy = page.getByLabel(t('routes.policy_of', { route }), { exact: true });
      await expect(policy).toHaveValue('cheapest');
      await policy.selectOption('spread');
      await toasted('bulk.ok');
      await page.reload();
      await expect(policy).toHaveValue('spread');
      const { routes } = await call('GET /admin/routes');
      expect(routes).toContainEqual({ name: route, policy: 'spread', lanes: [lane] });

      await row.click();
      await panel.getByRole('button', { name: t('lanes.remove'), exact: true }).click();
      const removing = dialog(t('lanes.remove_title', { lane }));
      await expect(removing).toContainText(t('lanes.remove_text'));
      await removing.getByRole('button', { name: t('layout.cancel'), exact: true }).click();
      await expect(removing).toBeHidden();
      await expect(row).toHaveCount(1);
      await panel.getByRole('button', { name: t('lanes.remove'), exact: true }).click();
      await removing.getByRole('button', { name: t('lanes.remove'), exact: true }).click();
      await toasted('lanes.removed');
      await expect(panel).toContainText(t('lanes.removed'));
      await expect(row).toHaveCount(0);
      expect(await stored()).toBeUndefined();
    });
  });
