import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MediaId } from '../../../contract/traffic/media.ts';

/** The largest file that WhatsApp carries, a document. */
const MEDIA_MAX_BYTES = 100 * 1024 * 1024;
/** Files that a killed process left half-written are removed after this. */
const STALE_MS = 3_600_000;

export class TooLarge extends Error {}
class Damaged extends Error {}

/** The bytes on disk: only complete files, because a file gets its name when all of it is there. */
export const openMediaFiles = (folder: string, { maxBytes = MEDIA_MAX_BYTES } = {}) => {
  const pathOf = (id: MediaId): string => join(folder, id.slice(0, 2), id);
  const previewOf = (id: MediaId): string => `${pathOf(id)}.preview`;
  const unfinished = join(folder, 'unfinished');

  const write = async (
    id: MediaId,
    { body, sha256 }: { body: Readable; sha256: string | undefined },
    signal: AbortSignal,
  ): Promise<number> => {
    const path = pathOf(id);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    const temporary = join(unfinished, `${id}-${randomUUID()}`);
    const hash = createHash('sha256');
    let bytes = 0;
    const measure = new Transform({
      transform: (chunk: Buffer, _, done) => {
        bytes += chunk.length;
        hash.update(chunk);
        if (bytes > maxBytes) done(new TooLarge(`it is larger than ${maxBytes} bytes`));
        else done(null, chunk);
      },
    });
    try {
      await pipeline(body, measure, createWriteStream(temporary, { mode: 0o600, flush: true }), { signal });
      if (sha256 && hash.digest('hex') !== sha256.toLowerCase())
        throw new Damaged('what was fetched is not what was sent');
      await rename(temporary, path);
      return bytes;
    } finally {
      await rm(temporary, { force: true });
    }
  };

  return {
    write,
    /** Undefined if it is not on this machine. */
    read: async (id: MediaId): Promise<{ body: Readable; bytes: number } | undefined> => {
      const found = await stat(pathOf(id)).catch(() => undefined);
      return found && { body: createReadStream(pathOf(id)), bytes: found.size };
    },
    /** The whole file, unless it is larger or not on this machine. */
    readWhole: async (id: MediaId, mostBytes: number): Promise<Buffer | undefined> => {
      const found = await stat(pathOf(id)).catch(() => undefined);
      return found && found.size <= mostBytes ? readFile(pathOf(id)) : undefined;
    },
    readPreview: (id: MediaId): Promise<Buffer | undefined> => readFile(previewOf(id)).catch(() => undefined),
    writePreview: async (id: MediaId, preview: Buffer): Promise<void> => {
      const temporary = join(unfinished, `${id}-${randomUUID()}`);
      await mkdir(unfinished, { recursive: true, mode: 0o700 });
      await writeFile(temporary, preview, { mode: 0o600 });
      await rename(temporary, previewOf(id));
    },
    remove: async (id: MediaId): Promise<void> => {
      for (const path of [previewOf(id), pathOf(id)]) await rm(path, { force: true });
    },
    removeUnfinished: async (): Promise<void> => {
      for (const name of await readdir(unfinished).catch(() => [])) {
        const path = join(unfinished, name);
        const found = await stat(path).catch(() => undefined);
        if (found && Date.now() - found.mtimeMs > STALE_MS) await rm(path, { force: true });
      }
    },
  };
};
export type MediaFiles = ReturnType<typeof openMediaFiles>;
