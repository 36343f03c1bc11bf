import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packProfile, unpackProfile } from './profile.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posthorn-profile-'));
});
afterAll(() => rm(folder, { recursive: true }));

const put = async (profile: string, path: string, content: string) => {
  const file = join(profile, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
};

test('what a page stores is packed and comes back as it was; caches and locks stay behind', async () => {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  await put(from, 'Default/IndexedDB/https_web.whatsapp.com_0.indexeddb.leveldb/000003.log', 'keys ✓');
  await put(from, 'Default/Local Storage/leveldb/CURRENT', 'MANIFEST-000001');
  await put(from, 'Default/Local Storage/leveldb/LOCK', '');
  await put(from, 'Default/Cache/large', 'x'.repeat(1_000));
  await unpackProfile(to, await packProfile(from));
  const files = (await readdir(to, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  expect(files.map(({ name }) => name).sort()).toEqual(['000003.log', 'CURRENT']);
  const log = join(to, 'Default/IndexedDB/https_web.whatsapp.com_0.indexeddb.leveldb/000003.log');
  expect(await readFile(log, 'utf8')).toBe('keys ✓');
});

test('a session with a file elsewhere is refused', async () => {
  const part = (text: string) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(text));
    return Buffer.concat([length, Buffer.from(text)]);
  };
  for (const path of ['../../outside', 'Default/IndexedDB/../../../outside', 'Default/Preferences'])
    await expect(
      unpackProfile(join(folder, 'strict'), gzipSync(Buffer.concat([part(path), part('x')]))),
    ).rejects.toThrow('where none belongs');
  await expect(unpackProfile(join(folder, 'strict'), gzipSync(Buffer.from([0, 0, 0, 9])))).rejects.toThrow(
    'too early',
  );
});
