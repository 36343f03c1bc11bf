import { type Columns, columnName } from '../csv/index.ts';
import { DomainError } from '../domain-error.ts';

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

interface Filling {
  columns: Columns;
  cells: string[];
  /** Characters of the whole text. A few placeholders and a long cell would make any amount of it. */
  maximum: number;
  /** How a value is written where it stands. */
  written?: (value: string) => string;
}

/** Fills `{{name}}` with the row's cell in the column of that name. */
export const fill = (template: string, { columns, cells, maximum, written }: Filling): string => {
  let room = maximum - template.length;
  const requireRoom = () => {
    if (room < 0) throw new DomainError('E_MESSAGE_TOO_LONG', { maximum });
  };
  if (!template.includes('{{')) {
    requireRoom();
    return template;
  }
  const filled = template.replace(PLACEHOLDER, (placeholder, name: string) => {
    const at = columns.byName.get(columnName(name));
    if (at === undefined)
      throw new CellFault(name.trim(), new DomainError('E_CSV_NO_COLUMN', { name: name.trim() }));
    const value = (cells[at] ?? '').trim();
    const column = columns.names[at] ?? '';
    if (value === '') throw new CellFault(column, new DomainError('E_PLACEHOLDER_EMPTY', { name: column }));
    room += placeholder.length - value.length;
    requireRoom();
    const text = written ? written(value) : value;
    room += value.length - text.length;
    requireRoom();
    return text;
  });
  requireRoom();
  return filled;
};

/** A text for all rows may only use existing columns: better reported once than in every row. */
export const checkTemplate = (template: string, columns: Columns): void => {
  for (const [, name = ''] of template.matchAll(PLACEHOLDER))
    if (!columns.byName.has(columnName(name)))
      throw new DomainError('E_CSV_NO_COLUMN', { name: name.trim() });
};
