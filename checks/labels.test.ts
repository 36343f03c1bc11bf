import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkLabels } from './labels.ts';
import { plantTree } from './planted-tree.ts';

const PAGES = 'server/ground/translations/texts/pages.json';
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
  [
    'a table holds a label without a text',
    "export const x = [{ label: 'wallet.lost' }].map((y) => t(y.label));",
    'wallet.lost',
  ],
])('%s', async (_, text, label) => {
  const faults = await faultsOf({
    'web/pages/x.tsx': `import { t } from '../ground/i18n/translate.ts';\n${text}`,
  });
  expect(faults).toEqual([expect.stringMatching(new RegExp(`${label}.*label-has-text`))]);
});

test('a phrase of the server has a label without a text', async () => {
  const faults = await faultsOf({
    'server/customer/wallet/x.ts':
      "export const x = (y: boolean) => ({ label: y ? 'mail.topUp' : 'mail.lost' });",
  });
  expect(faults).toEqual([expect.stringMatching(/mail\.lost.*label-has-text/)]);
});

const SIMULATOR = {
  'contract/traffic/simulator.ts':
    "export const SIMULATED_RECIPIENTS = [{ kind: 'busy' }, { kind: 'stops' }];",
  'web/pages/x.tsx': `import { t } from '../ground/i18n/translate.ts';\nexport const x = (y: string) => t(\`send.simulator.\${y}\`);`,
};
const simulatorTexts = (...kinds: string[]) =>
  JSON.stringify(
    Object.fromEntries(
      ['wallet.title', ...kinds.map((kind) => `send.simulator.${kind}`)].map((label) => [
        label,
        { en_US: 'a', zh_HK: 'b' },
      ]),
    ),
  );

test('a composed label has a text for each of its listed values, and for no other', async () => {
  expect(await faultsOf({ ...SIMULATOR, [PAGES]: simulatorTexts('busy', 'stops') })).toEqual([]);
  expect(await faultsOf({ ...SIMULATOR, [PAGES]: simulatorTexts('busy') })).toEqual([
    expect.stringMatching(/send\.simulator\.stops: label-has-text/),
  ]);
  expect(await faultsOf({ ...SIMULATOR, [PAGES]: simulatorTexts('busy', 'stops', 'gone') })).toEqual([
    expect.stringMatching(/send\.simulator\.gone: label-in-use/),
  ]);
});

test.each([
  ['asked for', `t(\`wallet.\${y}\`)`],
  ['made first and asked for later', `[\`wallet.\${y}\`].map((label) => t(label))`],
])('a composed label that is not listed is refused: %s', async (_, made) => {
  const faults = await faultsOf({
    'web/pages/x.tsx': `import { t } from '../ground/i18n/translate.ts';\nexport const x = (y: string) => ${made};`,
  });
  expect(faults).toEqual([expect.stringContaining('wallet.*: label-listed')]);
});

test('an error code without a text', async () => {
  const faults = await faultsOf({
    'contract/ground/errors.ts': "export const ERROR_CODES = ['E_INTERNAL', 'E_LOST'];",
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
