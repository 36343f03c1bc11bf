import type { PassThrough } from 'node:stream';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface ZipEntry {
  name: string;
  content: AsyncIterable<string | Buffer> | Iterable<string | Buffer>;
}

/** A plain file that its owner may read and write. */
const MODE = 0o100600;

/**
 * A ZIP file as it is made: only the pieces between reader and source are in memory, and an entry is opened when the
 * one before it has been read. A source that fails cuts the archive, so that nobody takes it for a whole one.
 * `startAt` is where the archive begins within a larger file.
 */
export async function* zip(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  { at, startAt = 0 }: { at: Date; startAt?: number },
): AsyncGenerator<Buffer> {
  // yazl counts its offsets from here and has no option for it.
  const archive = Object.assign(new ZipFile(), { outputStreamCursor: startAt });
  const output = archive.outputStream as PassThrough;
  let source: Readable | undefined;
  const addAll = async (): Promise<void> => {
    for await (const { name, content } of entries) {
      source = Readable.from(content);
      if (output.destroyed) source.destroy();
      else archive.addReadStream(source, name, { mtime: at, mode: MODE });
      await finished(source);
    }
    archive.end();
  };
  // The reader below hears of a fault through the stream.
  const added = addAll().catch((error: Error) => void output.destroy(error));
  try {
    yield* output;
  } finally {
    output.destroy();
    source?.destroy();
    await added;
  }
}
