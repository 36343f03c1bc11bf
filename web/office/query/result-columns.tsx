import type { QueryResult } from '../../../contract/office/query.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import classes from './result.module.css';

export interface ResultRow {
  id: string;
  cells: (string | null)[];
}

const NUMBERS =
  /^(smallint|integer|bigint|numeric|decimal|real|double|float|tiny|short|long|longlong|int24|newdecimal|year|oid|money)/;
/** Of the rows, to find out how wide a column should be. */
const SAMPLE = 60;
/** In rem. */
const NARROWEST = 5;
const WIDEST = 22;
const CHARACTER = 0.56;
const SHOWN_LENGTH = 200;

export const isNumber = (type: string): boolean => NUMBERS.test(type);

const widthOf = (name: string, cells: (string | null)[]): number => {
  const longest = Math.max(name.length + 3, ...cells.map((cell) => (cell ?? 'NULL').length));
  return Math.min(WIDEST, Math.max(NARROWEST, longest * CHARACTER + 1));
};

const Cell = ({ cell }: { cell: string | null | undefined }) =>
  cell === null || cell === undefined ? (
    <span className={classes.null}>NULL</span>
  ) : (
    // A row is one line: the whole text is in the row's panel.
    <span className={classes.cell}>
      {cell.length > SHOWN_LENGTH ? `${cell.slice(0, SHOWN_LENGTH)}…` : cell}
    </span>
  );

/** What the list sorts by: numbers by their value, nothing before all else. */
const sortValue = (cell: string | null | undefined, numeric: boolean): string | number => {
  if (numeric) return cell == null ? Number.NEGATIVE_INFINITY : Number(cell);
  return cell ?? '';
};

export const resultColumns = ({
  columns,
  rows,
}: Pick<QueryResult, 'columns' | 'rows'>): Column<ResultRow>[] =>
  columns.map(({ name, type }, at) => {
    const numeric = isNumber(type);
    return {
      id: String(at),
      label: () => name,
      cell: ({ cells }) => <Cell cell={cells[at]} />,
      width: widthOf(
        name,
        rows.slice(0, SAMPLE).map((row) => row[at] ?? null),
      ),
      sort: 'asc',
      value: ({ cells }) => sortValue(cells[at], numeric),
      ...(numeric && { kind: 'number' as const }),
      ...(at < 2 && { line: at === 0 ? (1 as const) : (2 as const) }),
    };
  });
