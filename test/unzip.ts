import { type FileHandle, open } from 'node:fs/promises';
import { crc32, inflateRawSync } from 'node:zlib';

const bytesAt = async (file: FileHandle, position: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
};

const END_LENGTH = 22;
const LOCATOR_LENGTH = 20;
const big = (buffer: Buffer, at: number): number => Number(buffer.readBigUInt64LE(at));

/** Where the directory is: from the end record, or from the ZIP64 one if that does not suffice. */
const findDirectory = async (file: FileHandle, size: number) => {
  const tail = await bytesAt(file, size - END_LENGTH - LOCATOR_LENGTH, END_LENGTH + LOCATOR_LENGTH);
  const end = tail.subarray(LOCATOR_LENGTH);
  if (end.readUInt32LE(0) !== 0x06054b50) throw new Error('the file has no ending');
  const plain = { entries: end.readUInt16LE(10), length: end.readUInt32LE(12), at: end.readUInt32LE(16) };
  if (tail.readUInt32LE(0) !== 0x07064b50) return plain;
  const record = await bytesAt(file, big(tail, 8), 56);
  if (record.readUInt32LE(0) !== 0x06064b50) throw new Error('the ZIP64 ending is not where it should be');
  return { entries: big(record, 32), length: big(record, 40), at: big(record, 48) };
};

/** Lengths and offset of an entry. A value that does not fit into 32 bits is in the extra field 1, in this order. */
const readPlace = (entry: Buffer, extra: Buffer) => {
  const plain = {
    length: entry.readUInt32LE(24),
    compressed: entry.readUInt32LE(20),
    offset: entry.readUInt32LE(42),
  };
  let at = 0;
  while (at < extra.length && extra.readUInt16LE(at) !== 1) at += 4 + extra.readUInt16LE(at + 2);
  at += 4;
  const whole = (value: number): number => {
    if (value !== 0xffff_ffff) return value;
    at += 8;
    return big(extra, at - 8);
  };
  return { length: whole(plain.length), compressed: whole(plain.compressed), offset: whole(plain.offset) };
};

/** Every file of an archive by its name, read as other programs do: from the end, each checked by its checksum. */
export const unzip = async (path: string): Promise<Map<string, Buffer>> => {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const directory = await findDirectory(file, size);
    const bytes = await bytesAt(file, directory.at, directory.length);
    const found = new Map<string, Buffer>();
    for (let at = 0, entry = 0; entry < directory.entries; entry += 1) {
      if (bytes.readUInt32LE(at) !== 0x02014b50) throw new Error('the directory is broken');
      const crc = bytes.readUInt32LE(at + 16);
      const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
      const end = nameEnd + bytes.readUInt16LE(at + 30);
      const name = bytes.toString('utf8', at + 46, nameEnd);
      const { length, compressed, offset } = readPlace(bytes.subarray(at), bytes.subarray(nameEnd, end));
      const header = await bytesAt(file, offset, 30);
      if (header.readUInt32LE(0) !== 0x04034b50) throw new Error(`${name} does not begin where it should`);
      const start = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
      const content = inflateRawSync(await bytesAt(file, start, compressed));
      if (content.length !== length || crc32(content) !== crc) throw new Error(`${name} is damaged`);
      found.set(name, content);
      at = end;
    }
    return found;
  } finally {
    await file.close();
  }
};
