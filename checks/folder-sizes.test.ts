import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkFolderSizes } from './folder-sizes.ts';
import { plantTree } from './planted-tree.ts';

const files = (folder: string, count: number, ending = '.ts'): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`${folder}/file-${at}${ending}`, 'export {};']),
  );

test('this house passes', async () => {
  expect((await checkFolderSizes(join(import.meta.dirname, '..'))).faults).toEqual([]);
});

test('a folder with more than thirty files is named, its tests and folders within it not counted', async () => {
  const full = files('server/fleet/devices', 31);
  expect((await checkFolderSizes(plantTree(full))).faults).toEqual([
    expect.stringContaining('server/fleet/devices: folder-size: 31 files'),
  ]);
  const fits = {
    ...files('server/fleet/devices', 30),
    ...files('server/fleet/devices', 20, '.test.ts'),
    ...files('server/fleet/devices/pairing', 20),
    ...files('server/migrations', 40, '.sql'),
  };
  expect((await checkFolderSizes(plantTree(fits))).faults).toEqual([]);
});
