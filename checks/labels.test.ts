import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkLabels } from './labels.ts';
import { plantTree } from './planted-tree.ts';

const PAGES = 'server/translations/texts/pages.json';
const faultsOf = async (changes: Record<string, string>) => (await checkLabels(plantTree(changes))).faults;

test('a sound house passes', async () => {
  expect(await faultsOf({})).toEqual([]);
});

test('this house passes', async () => {
  expect((await checkLabels(join(import.meta.dirname, '..'))).faults).toEqual([]);
});

test.each([
  ['a page asks for a label without a text', "export const x = () => t('home.lost');", 'home.lost'],
  [
    'one branch asks for a label without a text',
    "export const x = (y: boolean) => t(y ? 'wallet.title' : 'home.lost');",
    'home.lost',
  ],
  ['a composed label has no text at all', `export const x = (y: string) => t(\`country.\${y}\`);`, 'country'],
  [
    'a table holds a label without a text',
    "export const x = [{ label: 'wallet.lost' }].map((y) => t(y.label));",
    'wallet.lost',
  ],
])('%s', async (_, text, label) => {
  const faults = await faultsOf({ 'web/pages/x.tsx': `import { t } from '../i18n/translate.ts';\n${text}` });
  expect(faults).toEqual([expect.stringMatching(new RegExp(`${label}.*label-has-text`))]);
});

test('an error code without a text', async () => {
  const faults = await faultsOf({
    'contract/errors.ts': "export const ERROR_CODES = ['E_INTERNAL', 'E_LOST'];",
  });
  expect(faults).toEqual([expect.stringContaining('error.E_LOST: label-has-text')]);
});

test('a text that is missing in one language', async () => {
  const faults = await faultsOf({ [PAGES]: '{ "wallet.title": { "en_US": "{{n}} cards" } }' });
  expect(faults).toEqual([expect.stringContaining('no text in zh_HK')]);
});

test('languages with different placeholders', async () => {
  const faults = await faultsOf({ [PAGES]: '{ "wallet.title": { "en_US": "{{n}} cards", "zh_HK": "卡" } }' });
  expect(faults).toEqual([expect.stringContaining('same-placeholders')]);
});

test('a text that nothing uses', async () => {
  const faults = await faultsOf({
    [PAGES]:
      '{ "wallet.title": { "en_US": "a", "zh_HK": "b" }, "wallet.old": { "en_US": "a", "zh_HK": "b" } }',
  });
  expect(faults).toEqual([expect.stringContaining('wallet.old: label-in-use')]);
});
