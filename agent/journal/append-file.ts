import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** A file of lines of JSON that is only appended to, and now and then written anew. */
export interface AppendFile {
  /** On the disk when it returns, even if the power is cut: a Raspberry Pi has no other end. Throws if it can't. */
  append: (records: readonly unknown[]) => void;
  close: () => void;
}

interface AppendFileOptions {
  path: string;
  /** What the file has to say now, in as few records as possible. */
  snapshot: () => unknown[];
  /** A larger file is written anew. */
  maxBytes: number;
}

const textOf = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

const writeAll = (file: number, text: string): number => {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  fdatasyncSync(file);
  return bytes.length;
};

/** Until then, a power cut may bring back the file before. Windows has no such call. */
const flushFolder = (folder: string): void => {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
};

/** The last line may be torn: its writing had not ended, so nobody relied on it. Any other damage is a fault. */
export const readJournalRecords = (path: string): unknown[] => {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  lines.pop();
  return lines.map((line, at) => {
    try {
      return JSON.parse(line) as unknown;
    } catch (error) {
      throw new Error(`${path} is damaged in line ${at + 1}`, { cause: error });
    }
  });
};

/** Begins with a snapshot, which leaves out what was torn and what is over. */
export const openAppendFile = ({ path, snapshot, maxBytes }: AppendFileOptions): AppendFile => {
  let file: number | undefined;
  let size = 0;
  let most = maxBytes;
  const rewrite = (): void => {
    const next = openSync(`${path}.next`, 'w', 0o600);
    size = writeAll(next, textOf(snapshot()));
    // From one complete file to another: an end in between leaves one of them.
    renameSync(`${path}.next`, path);
    flushFolder(dirname(path));
    if (file !== undefined) closeSync(file);
    file = next;
    most = Math.max(maxBytes, 2 * size);
  };
  rewrite();
  return {
    append: (records) => {
      if (file === undefined) throw new Error('the journal is closed');
      // Rewrites before the append, because the snapshot does not contain these records yet.
      if (size > most) rewrite();
      size += writeAll(file, textOf(records));
    },
    close: () => {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
};
