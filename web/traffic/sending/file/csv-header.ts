import { withoutGuard } from '../../../../contract/ground/csv.ts';

/** Enough for any header; the server reads the whole file. */
const LOOKED_AT_BYTES = 64 * 1024;
const MOST_NAMES = 30;
const NAME_LENGTH = 100;

const decode = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    // As a stream, because the last character may be incomplete.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('big5').decode(bytes);
  }
};

const DELIMITER = /[,;\t]/;

/** The cells of the first row that is not empty. */
const firstRow = (text: string): string[] => {
  const line = /(?:"(?:[^"]|"")*"|[^\r\n"])+/.exec(text)?.[0] ?? '';
  const delimiter = DELIMITER.exec(line.replace(/"(?:[^"]|"")*"/g, ''))?.[0] ?? ',';
  const cells = line.match(new RegExp(`(?:"(?:[^"]|"")*"|[^"${delimiter}])+`, 'g')) ?? [];
  return cells.map((cell) =>
    withoutGuard(
      cell
        .trim()
        .replace(/^"([\s\S]*)"$/, '$1')
        .replaceAll('""', '"')
        .trim(),
    ),
  );
};

const isRecipient = (cell: string): boolean =>
  cell.includes('@') || /\d{6}/.test(cell.replace(/[\s()+-]/g, ''));

/** The column names at the start of a CSV text, which a message may use as placeholders. */
export const headerOf = (bytes: Uint8Array): string[] => {
  const text = decode(bytes).replace(/^\uFEFF/, '');
  const cells = firstRow(text);
  // A row that contains a recipient is no header.
  if (text.includes('\0') || cells.some(isRecipient)) return [];
  const names = cells.filter((name) => name !== '' && name.length <= NAME_LENGTH && !/[{}]/.test(name));
  return [...new Set(names)].slice(0, MOST_NAMES);
};

/** Empty where the file can't be read: sending it will report that. */
export const readCsvHeader = async (file: Blob): Promise<string[]> => {
  try {
    return headerOf(new Uint8Array(await file.slice(0, LOOKED_AT_BYTES).arrayBuffer()));
  } catch {
    return [];
  }
};
