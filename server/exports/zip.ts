import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZipEntry {
  name: string;
  content: AsyncIterable<string | Buffer> | Iterable<string | Buffer>;
}

interface Written {
  name: Buffer;
  crc: number;
  size: number;
  compressed: number;
  offset: number;
}

/** What does not fit into 32 or 16 bits is repeated in a ZIP64 record. */
const MAX_32 = 0xffff_ffff;
const MAX_16 = 0xffff;
/** Sizes follow the data, because they are not known before; names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;
const VERSION = 20;
const VERSION_64 = 45;
const BY_UNIX = 3 << 8;
/** Of a plain file that its owner may read and write. */
const MODE = (0o100600 << 16) >>> 0;

/** Times have no zone in this format: UTC is used. */
const dosTime = (at: Date) => ({
  time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
});

/** Numbers little-endian, each as [bytes, value]. */
const fields = (...given: [2 | 4 | 8, number][]): Buffer => {
  const buffer = Buffer.alloc(given.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of given) {
    if (bytes === 2) buffer.writeUInt16LE(value, at);
    else if (bytes === 4) buffer.writeUInt32LE(value, at);
    else buffer.writeBigUInt64LE(BigInt(value), at);
    at += bytes;
  }
  return buffer;
};

const localHeader = (name: Buffer, { time, date }: ReturnType<typeof dosTime>): Buffer =>
  Buffer.concat([
    fields([4, 0x04034b50], [2, VERSION], [2, FLAGS], [2, DEFLATED], [2, time], [2, date]),
    fields([4, 0], [4, 0], [4, 0], [2, name.length], [2, 0]),
    name,
  ]);

const centralHeader = (entry: Written, { time, date }: ReturnType<typeof dosTime>): Buffer => {
  const far = entry.offset >= MAX_32;
  const extra = far ? fields([2, 1], [2, 8], [8, entry.offset]) : Buffer.alloc(0);
  return Buffer.concat([
    fields([4, 0x02014b50], [2, BY_UNIX | VERSION_64], [2, far ? VERSION_64 : VERSION], [2, FLAGS]),
    fields([2, DEFLATED], [2, time], [2, date], [4, entry.crc], [4, entry.compressed], [4, entry.size]),
    fields([2, entry.name.length], [2, extra.length], [2, 0], [2, 0], [2, 0], [4, MODE]),
    fields([4, far ? MAX_32 : entry.offset]),
    entry.name,
    extra,
  ]);
};

const ending = ({ entries, size, offset }: { entries: number; size: number; offset: number }): Buffer => {
  const plain = fields(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, Math.min(entries, MAX_16)],
    [2, Math.min(entries, MAX_16)],
    [4, Math.min(size, MAX_32)],
    [4, Math.min(offset, MAX_32)],
    [2, 0],
  );
  if (entries < MAX_16 && size < MAX_32 && offset < MAX_32) return plain;
  return Buffer.concat([
    fields([4, 0x06064b50], [8, 44], [2, BY_UNIX | VERSION_64], [2, VERSION_64], [4, 0], [4, 0]),
    fields([8, entries], [8, entries], [8, size], [8, offset]),
    fields([4, 0x07064b50], [4, 0], [8, offset + size], [4, 1]),
    plain,
  ]);
};

/**
 * A ZIP file as a stream: only the current piece is in memory. Each entry has to stay below 4 GB, the whole file need
 * not. `startAt` is where it begins within a larger file.
 */
export async function* zip(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  { at, startAt = 0 }: { at: Date; startAt?: number },
): AsyncGenerator<Buffer> {
  const when = dosTime(at);
  const written: Written[] = [];
  let offset = startAt;
  for await (const { name: given, content } of entries) {
    const entry = { name: Buffer.from(given), crc: 0, size: 0, compressed: 0, offset };
    const header = localHeader(entry.name, when);
    yield header;
    const measured = async function* () {
      for await (const piece of content) {
        const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
        entry.crc = crc32(bytes, entry.crc);
        entry.size += bytes.length;
        yield bytes;
      }
    };
    const deflate = createDeflateRaw();
    const fed = pipeline(Readable.from(measured()), deflate);
    // An error of the source reaches the reader below, through the stream.
    fed.catch(() => {});
    for await (const piece of deflate) {
      entry.compressed += piece.length;
      yield piece;
    }
    await fed;
    if (Math.max(entry.size, entry.compressed) >= MAX_32)
      throw new Error(`${given} is too large for a ZIP file`);
    yield fields([4, 0x08074b50], [4, entry.crc], [4, entry.compressed], [4, entry.size]);
    offset += header.length + entry.compressed + 16;
    written.push(entry);
  }
  const central = offset;
  for (const entry of written) {
    const header = centralHeader(entry, when);
    offset += header.length;
    yield header;
  }
  yield ending({ entries: written.length, size: offset - central, offset: central });
}
