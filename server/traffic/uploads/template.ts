import { type Columns, columnName } from '../../ground/csv/index.ts';
import { DomainError } from '../../ground/domain-error.ts';

const PLACEHOLDER = /\{\{([^{}]{1,100})\}\}/g;

/** Why a cell is not valid, and which. */
export class CellFault extends Error {
  readonly column: string;
  readonly fault: DomainError;

  constructor(column: string, fault: DomainError) {
    super(fault.message);
    this.column = column;
    this.fault = fault;
  }
}

/** A text cut at its placeholders: a part for each, and the text that follows it. */
export interface TextTemplate {
  start: string;
  parts: {
    name: string /** Its column, if there is one of that name. */;
    at: number | undefined;
    rest: string;
  }[];
}

const NO_PARTS: TextTemplate['parts'] = [];

/** Cuts a text once for all rows: finding its columns again for each row would take far longer than filling it. */
export const cutTemplate = (text: string, { byName }: Columns): TextTemplate => {
  if (!text.includes('{{')) return { start: text, parts: NO_PARTS };
  const parts: TextTemplate['parts'] = [];
  const columns = new Map<string, number | undefined>();
  const columnOf = (name: string): number | undefined => {
    if (!columns.has(name)) columns.set(name, byName.get(columnName(name)));
    return columns.get(name);
  };
  // Texts and names take turns, because the pattern has one group.
  const [start = '', ...pieces] = text.split(PLACEHOLDER);
  for (let at = 0; at < pieces.length; at += 2) {
    const name = pieces[at] ?? '';
    parts.push({ name, at: columnOf(name), rest: pieces[at + 1] ?? '' });
  }
  return { start, parts };
};

/** Cuts the texts of rows, of which many are the same. */
export const openCutter = (columns: Columns) => {
  let last = { text: '', template: cutTemplate('', columns) };
  return (text: string): TextTemplate => {
    if (text !== last.text) last = { text, template: cutTemplate(text, columns) };
    return last.template;
  };
};

interface Filling {
  columns: Columns;
  cells: string[];
  /** Characters of the whole text. A few placeholders and a long cell would make any amount of it. */
  maximum: number;
  /** How a value is written where it stands. */
  written?: (value: string) => string;
}

const requireRoom = (length: number, maximum: number): void => {
  if (length > maximum) throw new DomainError('E_MESSAGE_TOO_LONG', { maximum });
};

/** Fills `{{name}}` with the row's cell in the column of that name. */
export const fillTemplate = (
  { start, parts }: TextTemplate,
  { columns, cells, maximum, written }: Filling,
): string => {
  requireRoom(start.length, maximum);
  let filled = start;
  // A cell is trimmed once, however many placeholders it fills: it may be long, and nearly all of it blanks.
  const values: string[] = [];
  for (const { name, at, rest } of parts) {
    if (at === undefined)
      throw new CellFault(name.trim(), new DomainError('E_CSV_NO_COLUMN', { name: name.trim() }));
    values[at] ??= (cells[at] ?? '').trim();
    const value = values[at];
    const column = columns.names[at] ?? '';
    if (value === '') throw new CellFault(column, new DomainError('E_PLACEHOLDER_EMPTY', { name: column }));
    // Before it is written: escaping makes several characters of one.
    requireRoom(filled.length + value.length, maximum);
    filled += (written ? written(value) : value) + rest;
    requireRoom(filled.length, maximum);
  }
  return filled;
};

/** A text for all rows may only use existing columns: better reported once than in every row. */
export const checkTemplate = ({ parts }: TextTemplate): void => {
  const unknown = parts.find(({ at }) => at === undefined);
  if (unknown) throw new DomainError('E_CSV_NO_COLUMN', { name: unknown.name.trim() });
};
