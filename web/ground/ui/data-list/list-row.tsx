import { type MouseEvent, memo } from 'react';
import { t } from '../../i18n/translate.ts';
import type { Column } from './column.ts';
import type { Across } from './virtual-rows.tsx';

export interface RowActs<Row> {
  onOpen?: (row: Row) => void;
  onSelect?: (id: string, event: unknown) => void;
}

interface ListRowProps<Row> extends RowActs<Row> {
  id: string;
  row: Row;
  /** Its place among all rows, from 0. */
  index: number;
  columns: Column<Row>[];
  /** The columns that are in the page; without it, all are. */
  across?: Across;
  /** The row's position is announced where not all rows are in the page. */
  counted: boolean;
  /** Otherwise it has only the column that stays in sight, if there is one. */
  filled: boolean;
  opened: boolean;
  selected: boolean;
  /** Whether the Tab key reaches it; the arrow keys reach the others. */
  tabbable: boolean;
  measure?: (element: HTMLTableRowElement | null) => void;
}

const OWN_CLICK = 'a, button, input, label, select, textarea';

/** A click on something that acts by itself, or that ends a selection of text, does not open the row. */
const opens = ({ target }: MouseEvent): boolean =>
  !(target as Element).closest(OWN_CLICK) && String(window.getSelection()) === '';

interface ListCellProps<Row> {
  row: Row;
  column: Column<Row>;
  /** From 1, among all columns; undefined where all of them are in the page. */
  place: number | undefined;
}

const Cell = <R,>({ row, column: { kind, line, max, grow, pinned, cell }, place }: ListCellProps<R>) => (
  <td
    data-kind={kind}
    data-line={line}
    data-pinned={pinned}
    data-grow={grow || max ? true : undefined}
    aria-colindex={place}
    style={place ? { gridColumn: place } : undefined}
  >
    {cell(row)}
  </td>
);

/** Memoised: a list that is scrolled sideways renders only the columns that come. */
const ListCell = memo(Cell) as typeof Cell;

const Row = <R,>(props: ListRowProps<R>) => {
  const { id, row, index, columns, across, counted, filled, opened, selected, tabbable } = props;
  const { measure, onOpen, onSelect } = props;
  const [head] = columns;
  const pinned = head?.pinned ? head : undefined;
  const first = Math.max(across?.first ?? 0, pinned ? 1 : 0);
  const others = filled || !pinned ? columns.slice(first, across && across.last + 1) : [];
  /** The place of a column in the grid of the row, from 1. */
  const placeOf = (column: number) => across && column + (onSelect ? 2 : 1);
  return (
    <tr
      ref={measure}
      data-id={id}
      data-index={index}
      data-selected={selected || undefined}
      aria-current={opened || undefined}
      aria-rowindex={counted ? index + 2 : undefined}
      tabIndex={onOpen || onSelect ? (tabbable ? 0 : -1) : undefined}
      onClick={onOpen && ((event) => opens(event) && onOpen(row))}
    >
      {onSelect && (
        <td data-kind="select" data-line={1}>
          <input
            type="checkbox"
            aria-label={t('lists.select', { row: index + 1 })}
            checked={selected}
            onChange={(event) => onSelect(id, event)}
          />
        </td>
      )}
      {pinned && <ListCell row={row} column={pinned} place={placeOf(0)} />}
      {others.map((column, at) => (
        <ListCell key={column.id} row={row} column={column} place={placeOf(first + at)} />
      ))}
    </tr>
  );
};

/** Memoised: a key that is typed elsewhere, or another row that opens, renders no row again. */
export const ListRow = memo(Row) as typeof Row;
