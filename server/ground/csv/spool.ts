import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type CsvEncoding, openEncodingProbe } from './encoding.ts';

export interface SpooledCsv {
  encoding: CsvEncoding;
  sha256: Buffer;
  /** Its bytes from the start; may be read once. */
  bytes: () => AsyncGenerator<Buffer>;
  close: () => Promise<void>;
}

const READ_BYTES = 256 * 1024;

async function* readAll(file: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/**
 * Keeps an upload on disk until all of it is here: no database connection waits for a slow sender, and a hostile or
 * incomplete upload never reaches one. The file is unlinked while it is in use, so that nothing is left even if this
 * process is killed.
 */
export const spoolCsv = async (source: AsyncIterable<Buffer>, folder: string): Promise<SpooledCsv> => {
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  const file = await open(path, 'wx+', 0o600);
  try {
    await rm(path);
    const probe = openEncodingProbe();
    const hash = createHash('sha256');
    for await (const chunk of source) {
      probe.see(chunk);
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    return {
      encoding: probe.found(),
      sha256: hash.digest(),
      bytes: () => readAll(file),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
};
