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

const asItIs = (value: string): string => value;

/** Fills `{{name}}` with the row's cell in the column of that name. */
export const fill = (
  template: string,
  columns: Columns,
  cells: string[],
  written: (value: string) => string = asItIs,
): string =>
  template.includes('{{')
    ? template.replace(PLACEHOLDER, (_, name: string) => {
        const at = columns.byName.get(columnName(name));
        if (at === undefined)
          throw new CellFault(name.trim(), new DomainError('E_CSV_NO_COLUMN', { name: name.trim() }));
        const value = (cells[at] ?? '').trim();
        const column = columns.names[at] ?? '';
        if (value === '')
          throw new CellFault(column, new DomainError('E_PLACEHOLDER_EMPTY', { name: column }));
        return written(value);
      })
    : template;

/** A text for all rows may only use existing columns: better reported once than in every row. */
export const checkTemplate = (template: string, columns: Columns): void => {
  for (const [, name = ''] of template.matchAll(PLACEHOLDER))
    if (!columns.byName.has(columnName(name)))
      throw new DomainError('E_CSV_NO_COLUMN', { name: name.trim() });
};
