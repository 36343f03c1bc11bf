import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, expect, test } from 'vitest';
import { unzip } from '../../../test/unzip.ts';
import { type ZipEntry, zip } from './zip.ts';

const folder = await mkdtemp(join(tmpdir(), 'posthorn-zip-'));
afterAll(() => rm(folder, { recursive: true }));
const at = new Date('2026-11-15T10:20:30Z');
const hasUnzip = spawnSync('unzip', ['-v']).status === 0;

const write = async (name: string, entries: Iterable<ZipEntry>, startAt = 0): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, '');
  // A hole in the file: it takes no place on the disk.
  await truncate(path, startAt);
  await pipeline(Readable.from(zip(entries, { at, startAt })), createWriteStream(path, { flags: 'a' }));
  return path;
};

test('what was put in comes out, whatever its name, size and pieces', async () => {
  const noise = randomBytes(3_000_000);
  const path = await write('many.zip', [
    { name: 'empty.txt', content: [] },
    { name: 'text.csv', content: ['a,b\r\n', Buffer.from('一,二\r\n')] },
    { name: 'media/圖片-é.bin', content: [noise.subarray(0, 7), noise.subarray(7)] },
    {
      name: 'repeated.txt',
      content: (function* () {
        for (let line = 0; line < 50_000; line += 1) yield `line ${line}\n`;
      })(),
    },
  ]);
  const files = await unzip(path);
  expect([...files.keys()]).toEqual(['empty.txt', 'text.csv', 'media/圖片-é.bin', 'repeated.txt']);
  expect(files.get('text.csv')?.toString()).toBe('a,b\r\n一,二\r\n');
  expect(files.get('media/圖片-é.bin')?.equals(noise)).toBe(true);
  expect(files.get('repeated.txt')?.toString().split('\n')).toHaveLength(50_001);
  expect(files.get('empty.txt')).toHaveLength(0);
});

test.skipIf(!hasUnzip)('unzip finds nothing wrong with it', async () => {
  const path = await write('tested.zip', [
    { name: 'a.txt', content: ['one'] },
    { name: 'folder/b.bin', content: [randomBytes(200_000)] },
  ]);
  expect(execFileSync('unzip', ['-t', path], { encoding: 'utf8' })).toContain('No errors detected');
  expect(execFileSync('unzip', ['-Z1', path], { encoding: 'utf8' })).toBe('a.txt\nfolder/b.bin\n');
});

test('an entry bears the time it was given, whatever the time zone of the machine', async () => {
  const path = await write('dated.zip', [{ name: 'a.txt', content: ['one'] }]);
  // The extended timestamp: its tag, five bytes, flags, and seconds since 1970.
  const timestamp = Buffer.from([0x55, 0x54, 5, 0, 3, 0, 0, 0, 0]);
  timestamp.writeUInt32LE(at.getTime() / 1_000, 5);
  expect((await readFile(path)).includes(timestamp)).toBe(true);
});

test('beyond 4 GB it goes on as ZIP64', async () => {
  const startAt = 5 * 2 ** 30;
  const path = await write('large.zip', [{ name: 'far.txt', content: ['behind five gigabytes'] }], startAt);
  expect((await unzip(path)).get('far.txt')?.toString()).toBe('behind five gigabytes');
  if (hasUnzip)
    expect(execFileSync('unzip', ['-p', path], { encoding: 'utf8' })).toBe('behind five gigabytes');
  await rm(path);
});

test('a source that breaks breaks the archive, and one that is no longer read is let go', async () => {
  const broken = async function* () {
    yield 'begun';
    throw new Error('the database went away');
  };
  const all = async () => {
    for await (const _ of zip([{ name: 'x', content: broken() }], { at }));
  };
  await expect(all()).rejects.toThrow('the database went away');

  let released = false;
  const endless = async function* () {
    try {
      for (;;) yield randomBytes(50_000);
    } finally {
      released = true;
    }
  };
  for await (const piece of zip([{ name: 'x', content: endless() }], { at })) if (piece.length > 1_000) break;
  await expect.poll(() => released).toBe(true);
});
