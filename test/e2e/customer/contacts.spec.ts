import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { expect, test } from '../fixtures.ts';
import { expectSound } from '../sound.ts';
import { texts } from '../texts.ts';
import { newCustomer, openPage } from './customers.ts';

const file = (content: string) => ({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language, expectedStatuses: [400] });
    const t = texts(language);
    const rows = (page: Page) => page.locator('tbody tr');
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

    test('a recipient becomes a contact, is named, and found by the name', async ({ page, program }) => {
      const { call, addCard } = await newCustomer(page, program);
      await openPage(page, '/dashboard/messages/contacts', t('contacts.title'));
      await expect(page.getByText(t('contacts.none'))).toBeVisible();
      const cardId = await addCard('success-visa');
      await call('POST /cards/:cardId/charge', { params: { cardId }, body: { amount: 20 } });
      const params = { channel: 'whatsapp' };
      await call('POST /:channel/send', { params, body: { phone: '6111 2222', message: 'Hello' } });
      await expect(async () => {
        await page.reload();
        await expect(rows(page)).toContainText('+85261112222', { timeout: 5_000 });
      }).toPass();
      await button(page, t('contacts.edit', { contact: '+85261112222' })).click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByLabel(t('contacts.name'))).toBeFocused();
      await dialog.getByLabel(t('contacts.name')).fill('陳大文');
      await dialog.getByLabel(t('contacts.notes')).fill('first line\nsecond line');
      await dialog.getByRole('button', { name: t('contacts.save') }).click();
      await expect(rows(page)).toContainText('陳大文');
      await expectSound(page, 'the list');

      await page.getByRole('link', { name: t('contacts.write', { contact: '陳大文' }) }).click();
      await expect(page).toHaveURL(/\/dashboard\/messages\/send\?/);
      const target = page.getByRole('combobox', { name: t('send.phone') });
      await expect(target).toHaveValue('+85261112222');
      await expect(page.getByRole('radio', { name: t('send.channel.whatsapp') })).toBeChecked();
      await target.fill('陳大文');
      await expect(page.getByRole('listbox').getByRole('option')).toHaveText('+85261112222陳大文');
      await page.getByRole('listbox').getByRole('option').click();
      await expect(target).toHaveValue('+85261112222');
    });

    test('contacts are imported, entered, searched, exported and removed', async ({ page, program }) => {
      await newCustomer(page, program);
      await openPage(page, '/dashboard/messages/contacts', t('contacts.title'));
      await button(page, t('lists.import')).click();
      const dialog = page.getByRole('dialog');
      const people = ['Ann,6111 2222', 'Bob,6111 3333', 'Eve,12'];
      await dialog.locator('input[type=file]').setInputFiles(file(['name,phone', ...people].join('\n')));
      await dialog.getByRole('button', { name: t('lists.import_button'), exact: true }).click();
      await expect(dialog).toContainText(t('import.done', { added: 2, known: 0, refused: 1 }));
      await expect(dialog).toContainText(t('lists.place', { row: 4, column: 'phone' }));
      await dialog
        .getByRole('button', { name: t('layout.close') })
        .last()
        .click();
      await expect(dialog).toBeHidden();
      await expect(rows(page)).toHaveCount(2);

      await button(page, t('contacts.add')).click();
      await dialog.getByRole('button', { name: t('contacts.save') }).click();
      await expect(dialog.getByRole('alert')).toHaveText(t('contacts.phone_missing'));
      await dialog.getByLabel(t('contacts.phone')).fill('eve@example.com');
      await expectSound(page, 'the form');
      await dialog.getByRole('button', { name: t('contacts.save') }).click();
      await expect(rows(page)).toHaveCount(3);
      await page.getByLabel(t('lists.search'), { exact: true }).fill('an');
      await expect(rows(page)).toHaveCount(1);
      const downloading = page.waitForEvent('download');
      await button(page, t('lists.export')).click();
      expect(await readFile(await (await downloading).path(), 'utf8')).toMatch(
        /\r\nAnn,\+85261112222,,,\r\n$/,
      );
      await button(page, t('contacts.remove', { contact: 'Ann' })).click();
      await button(page, t('contacts.remove_button')).click();
      await expect(page.getByText(t('lists.none_fit'))).toBeVisible();
    });
  });
