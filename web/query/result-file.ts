import type { QueryResult } from '../../contract/query.ts';

type Table = Pick<QueryResult, 'columns' | 'rows'>;

/** A spreadsheet would run a text that begins like a formula; numbers may begin with a minus. */
const guarded = (cell: string): string =>
  /^[=+\-@\t\r]/.test(cell) && !/^[+-]?\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell;

const quoted = (cell: string | null): string => {
  const text = guarded(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** With a mark at the beginning, by which spreadsheets know that it is UTF-8. */
export const csvOf = ({ columns, rows }: Table): string =>
  `\uFEFF${[columns.map(({ name }) => name), ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`).join('')}`;

/** Two columns of one name get numbers, so that neither is lost. */
export const uniqueNames = ({ columns }: Pick<Table, 'columns'>): string[] => {
  const used = new Map<string, number>();
  return columns.map(({ name }) => {
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    return count === 1 ? name : `${name}_${count}`;
  });
};

/** A row as an object, in the database's own words. */
export const recordOf = (names: string[], row: (string | null)[]): Record<string, string | null> =>
  Object.fromEntries(names.map((name, at) => [name, row[at] ?? null]));

export const jsonOf = (table: Table): string => {
  const names = uniqueNames(table);
  return `${JSON.stringify(
    table.rows.map((row) => recordOf(names, row)),
    null,
    2,
  )}\n`;
};
