import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plantTree } from './planted-tree.ts';
import { checkSettings } from './settings.ts';

test('process.env in config.ts is no fault', async () => {
  expect((await checkSettings(plantTree())).faults).toEqual([]);
});

test('this house passes', async () => {
  expect((await checkSettings(join(import.meta.dirname, '..'))).faults).toEqual([]);
});

test.each([
  'export const port = process.env.PORT;',
  "export const port = process['env']['PORT'];",
  'export const port = globalThis.process.env.PORT;',
  'export const { env } = process;',
  "export { env } from 'node:process';",
  "import { env } from 'node:process';\nexport const port = env.PORT;",
])('a room may not read the environment: %s', async (text) => {
  const { faults } = await checkSettings(plantTree({ 'server/customer/wallet/x.ts': text }));
  expect(faults).toEqual([expect.stringContaining('settings-in-config')]);
});

test('a comment or a text that names process.env is no fault', async () => {
  const text = "// process.env is read elsewhere\nexport const hint = 'see process.env.PORT';";
  expect((await checkSettings(plantTree({ 'server/customer/wallet/x.ts': text }))).faults).toEqual([]);
});
