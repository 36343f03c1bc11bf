import { randomBytes } from 'node:crypto';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import type { Twilio } from '../../emulators/twilio.ts';
import { asAdmin, openPage } from '../customer/customers.ts';
import { expectToast } from '../expect-toast.ts';
import { expect } from '../fixtures.ts';
import { texts } from '../texts.ts';
import { inboundUrl, removeRealLane, TWILIO_NUMBER, TWILIO_SID, test } from '../traffic/real-lane.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const OTHER_NUMBER = '+15005550010';

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language });
    const t = texts(language);

    test('a secret of a lane is typed and never shown: an empty field keeps it, another one replaces it', async ({
      page,
      program,
      openTwilio,
    }) => {
      test.setTimeout(240_000);
      const admin = await asAdmin(page, program);
      const lane = `office-${randomBytes(4).toString('hex')}`;
      const [first, second] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
      const [before, after] = [await openTwilio(first), await openTwilio(second)];
      /** Twilio signs what it tells with the secret, and is refused if the lane has another. */
      const tell = (twilio: Twilio) =>
        twilio.write(inboundUrl(program, lane), { from: '+85261112222', to: TWILIO_NUMBER, text: lane });
      const expectSecretOf = async (right: Twilio, wrong: Twilio) => {
        await expect.poll(() => tell(right)).toBe(200);
        expect(await tell(wrong)).toBe(403);
      };
      const stored = async () => (await admin('GET /admin/lanes')).lanes.find(({ name }) => name === lane);
      const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
      const toasted = (label: string) => expectToast(page, t, t(label));

      await openPage(page, '/dashboard/lanes', t('lanes.title'));
      await page.getByRole('button', { name: t('lanes.make'), exact: true }).click();
      const making = dialog(t('lanes.make'));
      await making.getByLabel(t('lanes.name'), { exact: true }).fill(lane);
      await making.getByLabel(t('lanes.provider'), { exact: true }).selectOption('twilio');
      const settings = {
        TWILIO_ACCOUNT_SID: TWILIO_SID,
        TWILIO_AUTH_TOKEN: first,
        TWILIO_FROM: TWILIO_NUMBER,
      };
      const lines = Object.entries(settings).map((setting) => setting.join('='));
      await making.getByLabel(t('lanes.settings'), { exact: true }).fill(lines.join('\n'));
      await making.getByRole('button', { name: t('lanes.make'), exact: true }).click();
      await toasted('lanes.made');
      await expect(making).toBeHidden();
      expect((await stored())?.settings).toEqual({ ...settings, TWILIO_AUTH_TOKEN: null });
      await expectSecretOf(before, after);

      const lanes = page.getByRole('table', { name: t('lanes.title'), exact: true });
      const row = lanes.getByRole('row').filter({ hasText: lane });
      const panel = dialog(lane);
      const editing = dialog(t('lanes.edit_title', { lane }));
      const number = editing.getByLabel('TWILIO_FROM', { exact: true });
      const secret = editing.getByLabel('TWILIO_AUTH_TOKEN', { exact: true });
      const edit = async () => {
        await panel.getByRole('button', { name: t('lanes.edit'), exact: true }).click();
        await expect(secret).toHaveAttribute('type', 'password');
        await expect(secret).toHaveValue('');
        await expect(secret).toHaveAccessibleDescription(t('lanes.secret_hint'));
      };
      const save = async () => {
        await editing.getByRole('button', { name: t('contacts.save'), exact: true }).click();
        await toasted('bulk.ok');
        await expect(editing).toBeHidden();
      };
      await row.click();
      await expect(panel).toContainText(TWILIO_NUMBER);
      await expect(panel).toContainText(t('lanes.secret'));
      await expect(panel).not.toContainText(first);

      await edit();
      await expect(number).toHaveValue(TWILIO_NUMBER);
      await number.fill(OTHER_NUMBER);
      await save();
      await expect(panel).toContainText(OTHER_NUMBER);
      const kept = { ...settings, TWILIO_AUTH_TOKEN: null, TWILIO_FROM: OTHER_NUMBER };
      expect((await stored())?.settings).toEqual(kept);
      await expectSecretOf(before, after);

      await edit();
      await secret.fill(second);
      await save();
      expect((await stored())?.settings).toEqual(kept);
      await expectSecretOf(after, before);

      await page.reload();
      await row.click();
      await expect(panel).toContainText(OTHER_NUMBER);
      await edit();
      const { entries } = await admin('GET /admin/audit');
      expect(entries.map((entry) => entry.call)).toContain('PUT /admin/lanes/:laneId');
      for (const text of [await page.content(), JSON.stringify(entries)])
        for (const token of [first, second]) expect(text).not.toContain(token);

      await removeRealLane(admin, (await stored())?.id ?? 0);
    });
  });
