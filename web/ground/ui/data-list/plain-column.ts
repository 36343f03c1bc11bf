import type { Column } from './column.ts';

interface PlainColumn<Row> extends Omit<Column<Row>, 'cell' | 'sort'> {
  of: (row: Row) => string | number;
}

/** A column that is sorted by what it shows, unless told: texts from A to Z at first, numbers from the largest. */
export const plainColumn = <Row>({ of, ...column }: PlainColumn<Row>): Column<Row> => ({
  value: of,
  ...column,
  cell: of,
  sort: column.kind === 'number' ? 'desc' : 'asc',
});
