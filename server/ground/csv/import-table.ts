import { withoutGuard } from '../../../contract/ground/csv.ts';
import type { ErrorCode } from '../../../contract/ground/errors.ts';
import { CSV_MAX_ROWS } from '../../../contract/traffic/uploads.ts';
import { DomainError } from '../domain-error.ts';
import { columnName, findDelimiter, RECIPIENT_NAMES, shownName } from './columns.ts';
import { decodeCsv } from './encoding.ts';
import { peek } from './peek.ts';
import { type CsvRecord, readRecords } from './records.ts';
import type { SpooledCsv } from './spool.ts';
import { openTimeSlices } from './time-slices.ts';

/** A row of an imported list: its cells by purpose. */
export interface TableRow<C extends string> {
  row: number;
  /** '' if the file has no such column, or the row no such cell. */
  cell: (column: C) => string;
}

interface ImportRefusal {
  row: number;
  column: string;
  code: ErrorCode;
  params: DomainError['params'];
}

export interface ImportTally {
  rows: number;
  added: number;
  known: number;
  refused: number;
  /** The first ones. */
  refusals: ImportRefusal[];
}

interface Import<C extends string, T> {
  /** What a column may be called. If no row names them, columns are taken in this order. */
  columns: Record<C, string[]>;
  /** Which column a refusal is about. */
  columnOf: (code: ErrorCode) => C;
  /** Throws a DomainError for a row that can't be imported. */
  read: (row: TableRow<C>) => T;
  /** If several rows of a piece have the same key, the last one counts. */
  keyOf: (item: T) => string;
  /** Returns how many of them are new. */
  write: (items: T[]) => Promise<number>;
}

const CHUNK = 1_000;
const REFUSALS = 100;

const placesOf = <C extends string>(first: CsvRecord, columns: Record<C, string[]>) => {
  const names = first.cells.map(columnName);
  const kinds = Object.keys(columns) as C[];
  const named = kinds.map((kind) => names.findIndex((name) => columns[kind].includes(name)));
  const header = named.some((place) => place !== -1);
  const places = new Map(kinds.map((kind, at) => [kind, header ? (named[at] ?? -1) : at]));
  if (header && RECIPIENT_NAMES.every((name) => !names.includes(name)))
    throw new DomainError('E_CSV_NO_RECIPIENT_COLUMN');
  const titleOf = (kind: C): string => {
    const place = places.get(kind) ?? -1;
    return (header && shownName(first.cells[place] ?? '')) || String(place + 1);
  };
  return { header, places, titleOf };
};

/** Reads a list of recipients piece by piece, imports what it can, and gives a reason for the rest. */
export const importTable = async <C extends string, T>(
  csv: SpooledCsv,
  { columns, columnOf, read, keyOf, write }: Import<C, T>,
): Promise<ImportTally> => {
  const tally: ImportTally = { rows: 0, added: 0, known: 0, refused: 0, refusals: [] };
  let layout: ReturnType<typeof placesOf<C>> | undefined;

  const readRow = ({ row, cells }: CsvRecord): T | undefined => {
    const places = layout?.places;
    try {
      return read({ row, cell: (column) => withoutGuard(cells[places?.get(column) ?? -1] ?? '') });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      tally.refused += 1;
      const column = layout?.titleOf(columnOf(error.code)) ?? '';
      if (tally.refusals.length < REFUSALS)
        tally.refusals.push({ row, column, code: error.code, params: error.params });
      return undefined;
    }
  };

  const { start, all } = await peek(decodeCsv(csv.bytes(), csv.encoding));
  const delimiter = findDelimiter(start, 'email');
  const slices = openTimeSlices();
  for await (const records of readRecords(all, { delimiter, size: CHUNK })) {
    if (!layout && records[0]) {
      layout = placesOf(records[0], columns);
      if (layout.header) records.shift();
    }
    tally.rows += records.length;
    if (tally.rows > CSV_MAX_ROWS) throw new DomainError('E_CSV_TOO_MANY_ROWS', { maximum: CSV_MAX_ROWS });
    const items: T[] = [];
    for (const record of records) {
      const item = readRow(record);
      if (item !== undefined) items.push(item);
      if (slices.isOver()) await slices.pass();
    }
    const once = [...new Map(items.map((item) => [keyOf(item), item])).values()];
    const added = once.length > 0 ? await write(once) : 0;
    tally.added += added;
    tally.known += items.length - added;
  }
  if (tally.rows === 0) throw new DomainError('E_CSV_EMPTY');
  return tally;
};
