import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkLock } from './lock.ts';
import { plantTree } from './planted-tree.ts';

const faultsOf = async (packages: object) => {
  const root = plantTree();
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
  return (await checkLock(root)).faults;
};

test('a package for another system that is missing from the lock file is a fault', async () => {
  const tool = { version: '1.0.0', optionalDependencies: { 'tool-linux-arm64': '1.0.0' } };
  expect(await faultsOf({ 'node_modules/tool': tool })).toEqual([expect.stringContaining('every-system')]);
  expect(await faultsOf({ 'node_modules/tool': tool, 'node_modules/tool-linux-arm64': {} })).toEqual([]);
});

test('a download address in the lock file is a fault', async () => {
  const faults = await faultsOf({ 'node_modules/tool': { resolved: 'https://registry.example/tool.tgz' } });
  expect(faults).toEqual([expect.stringContaining('no-addresses')]);
});

test('this house passes', async () => {
  expect((await checkLock(join(import.meta.dirname, '..'))).faults).toEqual([]);
});
