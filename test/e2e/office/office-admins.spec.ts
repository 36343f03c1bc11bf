import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { asAdmin, newCustomer, openPage } from '../customer/customers.ts';
import { expectToast } from '../expect-toast.ts';
import { expect, newPerson, test } from '../fixtures.ts';
import { texts } from '../texts.ts';

test.use({ viewport: { width: 1440, height: 900 } });

for (const language of LANGUAGES)
  test.describe(language, () => {
    // The last owner stays one.
    test.use({ language, expectedStatuses: [409] });
    const t = texts(language);

    test('an owner adds an admin, gives another role, takes it away and invites somebody', async ({
      page,
      program,
    }) => {
      const { email } = await newCustomer(page, program);
      const guest = newPerson();
      const call = await asAdmin(page, program);
      const roleOf = async (person: string) =>
        (await call('GET /admin/admins')).admins.find((admin) => admin.email === person)?.role;
      const toasted = (label: string) => expectToast(page, t, t(label));
      await openPage(page, '/dashboard/admins', t('admins.title'));
      const row = (person: string) => page.getByRole('row').filter({ hasText: person });
      const form = page.getByRole('form', { name: t('admins.add'), exact: true });
      const add = async (person: string, role: string) => {
        await form.getByLabel(t('guest.email'), { exact: true }).fill(person);
        await form.getByLabel(t('admins.role'), { exact: true }).selectOption(role);
        await form.getByRole('button', { name: t('admins.add'), exact: true }).click();
      };
      const removing = page.getByRole('dialog', { name: t('admins.remove'), exact: true });
      const ask = async (person: string) => {
        await row(person)
          .getByRole('button', { name: t('admins.remove'), exact: true })
          .click();
        await expect(removing).toContainText(t('admins.remove_text', { email: person }));
      };
      const confirm = removing.getByRole('button', { name: t('admins.remove'), exact: true });

      await add(email, 'support');
      await toasted('admins.added');
      expect(await roleOf(email)).toBe('support');
      const role = row(email).getByLabel(t('admins.role_of', { email }), { exact: true });
      await expect(role).toHaveValue('support');
      await role.selectOption('finance');
      await toasted('admins.changed');
      await page.reload();
      await expect(role).toHaveValue('finance');
      expect(await roleOf(email)).toBe('finance');

      await ask(program.admin.email);
      await confirm.click();
      await toasted('error.E_LAST_OWNER');
      await expect(removing).toBeHidden();
      expect(await roleOf(program.admin.email)).toBe('owner');
      await ask(email);
      await removing.getByRole('button', { name: t('layout.cancel'), exact: true }).click();
      await expect(removing).toBeHidden();
      expect(await roleOf(email)).toBe('finance');
      await ask(email);
      await confirm.click();
      await toasted('admins.removed');
      await expect(row(email)).toHaveCount(0);
      expect(await roleOf(email)).toBeUndefined();

      await add(guest.email, 'analyst');
      await toasted('admins.invited');
      await expect(row(guest.email)).toContainText(t('admins.waiting'));
      await expect(row(guest.email)).toContainText(t('admins.role.analyst'));
      await row(guest.email)
        .getByRole('button', { name: t('customers.take_back_from', { email: guest.email }), exact: true })
        .click();
      await expect(row(guest.email)).toHaveCount(0);
      expect((await call('GET /admin/admins')).invited.map((one) => one.email)).not.toContain(guest.email);
    });
  });
