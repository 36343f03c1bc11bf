import type { RefObject } from 'react';
import { useStable } from '../use-stable.ts';
import type { Column } from './column.ts';
import classes from './data-list.module.css';
import { ListHead } from './list-head.tsx';
import { ListRow } from './list-row.tsx';
import { ListRows } from './list-rows.tsx';
import { useRowKeys } from './use-row-keys.ts';
import type { Selected, useRows } from './use-rows.ts';

/** In rem, as in the style sheet. */
const ROW_HEIGHT = { wide: 2.5, narrow: 3.875 };

interface ListTableProps<Row extends object> {
  label: string;
  columns: Column<Row>[];
  list: ReturnType<typeof useRows<Row>>;
  /** Undefined where rows can't be selected. */
  selected: Selected | undefined;
  openedId: string | undefined;
  /** Undefined where rows open nothing. */
  onOpen: ((row: Row) => void) | undefined;
  narrow: boolean;
  boxed: boolean | undefined;
  holder: RefObject<HTMLDivElement | null>;
  scrollTo: RefObject<((index: number) => void) | undefined>;
  focusRow: (index: number) => void;
}

/** The headings and the rows. */
export const ListTable = <Row extends object>(props: ListTableProps<Row>) => {
  const { label, columns, list, selected, openedId, narrow, boxed, holder, scrollTo, focusRow } = props;
  const { rows, sorting, selectedPart } = list;
  const open = useStable((row: Row) => props.onOpen?.(row));
  const select = useStable(list.select);
  const sortBy = useStable(list.sortBy);
  const selectAll = useStable(list.selectAll);
  const onOpen = props.onOpen && open;
  const onSelect = selected && select;
  const keys = useRowKeys({
    count: rows.length,
    focusRow,
    onOpen: onOpen && ((index) => onOpen(rows[index]?.original as Row)),
    onSelect: onSelect && ((index) => onSelect(rows[index]?.id as string)),
  });
  return (
    <div ref={holder} className={boxed ? classes.box : undefined}>
      <table
        className={classes.table}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={boxed ? columns.length + (selected ? 1 : 0) : undefined}
      >
        <ListHead
          columns={columns}
          sorting={sorting}
          onSort={sortBy}
          selected={selected && selectedPart}
          onSelectAll={selectAll}
        />
        <ListRows
          rows={rows}
          boxed={boxed}
          rowHeight={narrow ? ROW_HEIGHT.narrow : ROW_HEIGHT.wide}
          even={!narrow}
          widths={columns.map(({ width }) => width)}
          holder={holder}
          body={{ onKeyDown: keys.onKeyDown, onFocus: keys.onFocus }}
          scrollTo={scrollTo}
        >
          {({ id, original }, index, { first, last, partly, across, filled, measure }) => (
            <ListRow
              key={id}
              id={id}
              row={original}
              index={index}
              columns={columns}
              across={across}
              counted={partly}
              filled={!filled || (index >= filled.first && index <= filled.last)}
              opened={id === openedId}
              selected={selected?.[id] ?? false}
              tabbable={index === (keys.active < first || keys.active > last ? first : keys.active)}
              measure={measure}
              onOpen={onOpen}
              onSelect={onSelect}
            />
          )}
        </ListRows>
      </table>
    </div>
  );
};
