import { type CsvForm, type CsvType, csvTable } from '../../../contract/ground/csv.ts';
import type { QueryResult } from '../../../contract/office/query.ts';
import { isNumber } from './result-columns.tsx';

type Table = Pick<QueryResult, 'columns' | 'rows'>;

const TIMES = /^(date|time|datetime)/;

const csvTypeOf = (type: string): CsvType => {
  if (isNumber(type)) return 'number';
  return TIMES.test(type) ? 'time' : 'text';
};

/** As data, or for spreadsheets. */
export const csvOf = ({ columns, rows }: Table, form: CsvForm): string => {
  const { head, line } = csvTable<(string | null)[]>(
    columns.map(({ name, type }, at) => ({
      title: name,
      type: csvTypeOf(type),
      value: (cells) => cells[at] ?? null,
    })),
    form,
  );
  return head + rows.map(line).join('');
};

/** Columns of one name get numbers, none of which is the name of another column: no column is lost. */
export const uniqueNames = ({ columns }: Pick<Table, 'columns'>): string[] => {
  const taken = new Set(columns.map(({ name }) => name));
  const seen = new Map<string, number>();
  return columns.map(({ name }) => {
    let count = (seen.get(name) ?? 0) + 1;
    let unique = name;
    if (count > 1) {
      while (taken.has(`${name}_${count}`)) count += 1;
      unique = `${name}_${count}`;
      taken.add(unique);
    }
    seen.set(name, count);
    return unique;
  });
};

/** A row as an object, in the database's own words. */
export const resultRecord = (names: string[], row: (string | null)[]): Record<string, string | null> =>
  Object.fromEntries(names.map((name, at) => [name, row[at] ?? null]));

export const jsonOf = (table: Table): string => {
  const names = uniqueNames(table);
  return `${JSON.stringify(
    table.rows.map((row) => resultRecord(names, row)),
    null,
    2,
  )}\n`;
};
