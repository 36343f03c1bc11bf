import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { asAdmin, openPage } from '../customer/customers.ts';
import { expectToast } from '../expect-toast.ts';
import { expect, test } from '../fixtures.ts';
import { texts } from '../texts.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const csv = (...rows: string[]) => ({
  name: 'prices.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['channel,country,carrierName,range,unitPrice', ...rows].join('\n')),
});

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language });
    const t = texts(language);

    test('an admin imports prices from a file after a look at what changes', async ({ page, program }) => {
      // Prices of a network that no lane has.
      const network = `Import ${randomBytes(4).toString('hex')}`;
      const call = await asAdmin(page, program);
      const stored = async () =>
        (await call('GET /admin/prices')).prices.filter(({ carrierName }) => carrierName.startsWith(network));
      await openPage(page, '/dashboard/prices', t('prices.title'));
      const rows = page.getByRole('row').filter({ hasText: network });
      await page.getByRole('button', { name: t('lists.import'), exact: true }).click();
      const dialog = page.getByRole('dialog', { name: t('prices.import'), exact: true });
      const file = dialog.locator('input[type=file]');
      const changes = dialog.getByRole('status');
      const apply = dialog.getByRole('button', { name: t('prices.apply'), exact: true });
      await expect(dialog).toContainText(t('prices.import_hint'));
      await expect(apply).toBeDisabled();

      await file.setInputFiles(csv(`sms,HK,${network} A,,0.0711`, `sms,HK,${network} B,,free`));
      await expect(changes).toContainText(`${t('prices.refused')} (1)`);
      await expect(apply).toBeDisabled();

      await file.setInputFiles(csv(`sms,HK,${network} A,,0.0711`, `sms,HK,${network} B,,0.0722`));
      await expect(changes).toContainText(`${t('prices.begin')} (2)`);
      await expect(changes).toContainText(`${network} B: 0.0722`);
      await expect(changes).not.toContainText(t('prices.refused'));
      expect(await stored()).toEqual([]);
      await apply.click();
      await expectToast(page, t, t('prices.imported', { count: 2 }));
      await expect(dialog).toBeHidden();
      await expect(rows).toHaveCount(2);
      await expect(rows.filter({ hasText: `${network} A` })).toContainText('0.0711');
      expect((await stored()).map(({ unitPrice }) => unitPrice).sort()).toEqual(['0.0711', '0.0722']);

      // The file that is exported changes nothing when it comes back.
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: t('lists.export'), exact: true }).click();
      const exported = await readFile(await (await downloading).path());
      expect(exported.toString()).toContain(`${network} B`);
      await page.getByRole('button', { name: t('lists.import'), exact: true }).click();
      await file.setInputFiles({ ...csv(), buffer: exported });
      await expect(changes).toContainText(t('prices.unchanged', { count: '' }).trim());
      await expect(changes).not.toContainText(t('prices.begin'));
      await expect(apply).toBeDisabled();
      await dialog.getByRole('button', { name: t('layout.cancel'), exact: true }).click();
      await expect(dialog).toBeHidden();
      for (const { priceId } of await stored())
        await call('POST /admin/prices/:priceId/end', {
          params: { priceId: String(priceId) },
          body: { preview: false },
        });
    });
  });
