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

test('a text of a value that its constant does not have is used by nothing', async () => {
  expect(await faultsOf({ ...SIMULATOR, [PAGES]: simulatorTexts('busy', 'stops') })).toEqual([]);
  expect(await faultsOf({ ...SIMULATOR, [PAGES]: simulatorTexts('busy', 'stops', 'gone') })).toEqual([
    expect.stringMatching(/send\.simulator\.gone: label-in-use/),
  ]);
});

test('a text has the form of a composed label whose values are not listed', async () => {
  const page = `export const x = (y: 'due' | 'paid') => t(\`wallet.\${y}.title\`);`;
  const texts = (...labels: string[]) =>
    JSON.stringify(
      Object.fromEntries(['wallet.title', ...labels].map((label) => [label, { en_US: 'a', zh_HK: 'b' }])),
    );
  expect(await faultsOf({ 'web/pages/x.tsx': page, [PAGES]: texts('wallet.due.title') })).toEqual([]);
  expect(await faultsOf({ 'web/pages/x.tsx': page, [PAGES]: texts('wallet.due.text') })).toEqual([
    expect.stringMatching(/wallet\.due\.text: label-in-use/),
  ]);
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
