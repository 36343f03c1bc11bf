import { expect, test } from 'vitest';
import { running, usedDataDir } from './data-dir.ts';

test('the link that opens the mailbox is printed; with a public address, the folder', async () => {
  const dataDir = await usedDataDir();
  const local = await running({ dataDir });
  await expect
    .poll(local.output)
    .toContain(`outgoing mail is kept here: ${local.url}/mailbox#the-mailbox-of-the-tests`);
  expect(local.output()).not.toContain('no provider is set');
  await local.stop();
  const open = await running({ dataDir, env: { PUBLIC_URL: 'https://shop.example' } });
  await expect.poll(open.output).toMatch(/outgoing mail is kept here: .*data\/mailbox\n/);
  expect(open.output()).not.toContain('https://shop.example/mailbox');
});
