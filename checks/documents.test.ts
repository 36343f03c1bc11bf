import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkDocuments } from './documents.ts';
import { plantTree } from './planted-tree.ts';

const faultsOf = async (text: string, document = 'docs/MONEY.md') =>
  (await checkDocuments(plantTree({ [document]: text }))).faults;

test('these documents pass', async () => {
  expect((await checkDocuments(join(import.meta.dirname, '..'))).faults).toEqual([]);
});

test.each([
  ['link-leads-somewhere', 'See [the rules](RULES.md#first).'],
  ['path-exists', 'It is in `server/customer/wallet/purse.ts`.'],
  ['path-exists', 'It is in `server/customer/purse/`.'],
  ['file-exists', 'See `purse.ts` beside it.'],
  ['name-exists', 'Then `payTwice` is called.'],
])('%s: %s', async (rule, text) => {
  expect(await faultsOf(text)).toEqual([expect.stringContaining(`docs/MONEY.md: ${rule}: `)]);
});

test.each([
  'See [the tables](SCHEMA.md#wallet) and [the page](https://example.com/x).',
  'It is in `server/customer/wallet/top-up.ts`, as all of `server/customer/wallet/` is, and in `server/<room>/store.ts`, and in `top-up.ts`.',
  'Then `topUp` is called, with `npm run prove -- NAME` and a `lowercase` word.',
])('allowed: %s', async (text) => {
  expect(await faultsOf(text)).toEqual([]);
});

test('what happened is told in the names of its day', async () => {
  expect(await faultsOf('`payTwice` of `server/purse.ts` is gone.', 'CHANGELOG.md')).toEqual([]);
});
