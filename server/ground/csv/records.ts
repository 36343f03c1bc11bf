import { CSV_MAX_ROWS } from '../../../contract/traffic/uploads.ts';
import { DomainError } from '../domain-error.ts';

export interface CsvRecord {
  /** As a spreadsheet counts: the first is 1, empty ones count. */
  row: number;
  cells: string[];
}

export type Delimiter = ',' | ';' | '\t';

const MAX_LENGTH = 200_000;
const MAX_COLUMNS = 500;
/** Characters of the cells that are in memory at once, and one record. */
const CHUNK_LENGTH = 1_000_000;
/** Empty rows count too, the header is one. */
const MAX_RECORDS = CSV_MAX_ROWS * 2;

const QUOTE = '"';
const QUOTE_CODE = 34;
const LF = 10;
const CR = 13;

/** Where an unquoted cell ends, or the text does. */
const cellEnd = (text: string, from: number, delimiter: number): number => {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === delimiter || code === LF || code === CR) break;
  }
  return at;
};

/** Where the closing quotation mark is, or -1 if the text ends before that is certain. */
const closingQuote = (text: string, from: number, final: boolean): number => {
  for (let at = text.indexOf(QUOTE, from); at !== -1; at = text.indexOf(QUOTE, at + 2)) {
    if (at + 1 === text.length) return final ? at : -1;
    if (text.charCodeAt(at + 1) !== QUOTE_CODE) return at;
  }
  return -1;
};

const tooManyColumns = (row: number) =>
  new DomainError('E_CSV_TOO_MANY_COLUMNS', { row, maximum: MAX_COLUMNS });

/** Splits text that arrives in pieces into records; RFC 4180, with the deviations of spreadsheets and people. */
const openSplitter = (delimiter: Delimiter) => {
  const delimiterCode = delimiter.charCodeAt(0);
  let text = '';
  let row = 0;

  /** Reads one record; returns where the next begins, or -1 if more text is needed. */
  const readRecord = (start: number, final: boolean, cells: string[]): number => {
    for (let at = start; ; ) {
      let end: number;
      if (text.charCodeAt(at) === QUOTE_CODE) {
        const close = closingQuote(text, at + 1, final);
        if (close === -1) {
          if (final) throw new DomainError('E_CSV_QUOTE_OPEN', { row: row + 1 });
          return -1;
        }
        // Text after the closing mark, though not allowed, belongs to the cell.
        end = cellEnd(text, close + 1, delimiterCode);
        cells.push(text.slice(at + 1, close).replaceAll('""', QUOTE) + text.slice(close + 1, end));
      } else {
        end = cellEnd(text, at, delimiterCode);
        cells.push(text.slice(at, end));
      }
      if (cells.length > MAX_COLUMNS) throw tooManyColumns(row + 1);
      if (end === text.length) return final ? end : -1;
      const code = text.charCodeAt(end);
      if (code === LF) return end + 1;
      if (code === CR) {
        if (end + 1 === text.length && !final) return -1;
        return text.charCodeAt(end + 1) === LF ? end + 2 : end + 1;
      }
      at = end + 1;
    }
  };

  const push = function* (more: string, final: boolean): Generator<CsvRecord> {
    text += more;
    let start = 0;
    while (start < text.length) {
      const cells: string[] = [];
      const next = readRecord(start, final, cells);
      if ((next === -1 ? text.length : next) - start > MAX_LENGTH)
        throw new DomainError('E_CSV_ROW_TOO_LONG', { row: row + 1, maximum: MAX_LENGTH });
      if (next === -1) break;
      start = next;
      row += 1;
      if (row > MAX_RECORDS) throw new DomainError('E_CSV_TOO_MANY_ROWS', { maximum: CSV_MAX_ROWS });
      if (cells.some((cell) => cell.trim() !== '')) yield { row, cells };
    }
    text = text.slice(start);
  };
  return push;
};

const lengthOf = ({ cells }: CsvRecord): number => cells.reduce((sum, cell) => sum + cell.length, 0);

/** The records that are not empty, in chunks of this size, or smaller ones where they are long. */
export async function* readRecords(
  texts: AsyncIterable<string>,
  { delimiter, size }: { delimiter: Delimiter; size: number },
): AsyncGenerator<CsvRecord[]> {
  const push = openSplitter(delimiter);
  let chunk: CsvRecord[] = [];
  let length = 0;
  const fill = function* (more: string, final: boolean): Generator<CsvRecord[]> {
    for (const record of push(more, final)) {
      chunk.push(record);
      length += lengthOf(record);
      if (chunk.length < size && length < CHUNK_LENGTH) continue;
      yield chunk;
      chunk = [];
      length = 0;
    }
  };
  for await (const text of texts) yield* fill(text, false);
  yield* fill('', true);
  if (chunk.length > 0) yield chunk;
}
