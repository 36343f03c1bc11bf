import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Where the library puts the browser's profile in the folder of a device. */
export const profileIn = (folder: string): string => join(folder, 'session');

/** Where a page keeps what it stores; the rest of a profile is caches and settings, which the browser makes anew. */
const KEPT = [join('Default', 'IndexedDB'), join('Default', 'Local Storage')];
/** Held by the browser that runs; a copy would claim that one still does. */
const LOCK = 'LOCK';
const MOST_UNPACKED_BYTES = 256 * 1024 * 1024;
/** The browser rewrites its files while they are read. */
const TRIES = 5;

const filesBelow = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && entry.name !== LOCK)
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
};

/** A file as its path and its content, each after its length. */
const framed = (part: Buffer): Buffer[] => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(part.length);
  return [length, part];
};

const readAll = async (profile: string): Promise<Buffer> => {
  const files = (await Promise.all(KEPT.map((kept) => filesBelow(join(profile, kept))))).flat();
  const parts: Buffer[] = [];
  for (const file of files) {
    const path = relative(profile, file).split(sep).join('/');
    parts.push(...framed(Buffer.from(path)), ...framed(await readFile(file)));
  }
  return Buffer.concat(parts);
};

/** The session in a browser's profile as one piece. A file that goes while it is read means: read all of them again. */
export const packProfile = async (profile: string): Promise<Buffer> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await pack(await readAll(profile));
    } catch (error) {
      if (tries === TRIES || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
};

/** Puts a session into an empty profile. */
export const unpackProfile = async (profile: string, packed: Buffer): Promise<void> => {
  const bytes = await unpack(packed, { maxOutputLength: MOST_UNPACKED_BYTES });
  let at = 0;
  const next = (): Buffer => {
    const begin = at + 4;
    at = begin + bytes.readUInt32BE(at);
    if (at > bytes.length) throw new Error('the session of a device ends too early');
    return bytes.subarray(begin, at);
  };
  while (at < bytes.length) {
    const file = join(profile, ...next().toString().split('/'));
    if (!KEPT.some((kept) => file.startsWith(join(profile, kept) + sep)))
      throw new Error('the session of a device has a file where none belongs');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, next(), { mode: 0o600 });
  }
};
