import { type MouseEvent, memo } from 'react';
import { t } from '../../i18n/translate.ts';
import type { Column } from './column.ts';

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
  /** Its place is told where not all rows are in the page. */
  counted: boolean;
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

const Row = <R,>(props: ListRowProps<R>) => {
  const { id, row, index, columns, counted, opened, selected, tabbable, onOpen, onSelect, measure } = props;
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
      {columns.map(({ id: column, kind, max, grow, line, cell }) => (
        <td key={column} data-kind={kind} data-line={line} data-grow={grow || max ? true : undefined}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
};

/** Memoised: a key that is typed elsewhere, or another row that opens, renders no row again. */
export const ListRow = memo(Row) as typeof Row;
