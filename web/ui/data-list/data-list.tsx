import { Button } from '@mantine/core';
import { type CSSProperties, type ReactNode, useRef, useState } from 'react';
import { t } from '../../i18n/translate.ts';
import { LoadFailure } from '../load-failure.tsx';
import { useStable } from '../use-stable.ts';
import { type Column, neededWidth, tracksOf } from './column.ts';
import { ColumnChoice } from './column-choice.tsx';
import classes from './data-list.module.css';
import { ListHead, type Sorting } from './list-head.tsx';
import type { ListQuery } from './list-query.ts';
import { ListRow } from './list-row.tsx';
import { type BodyRow, ListRows } from './list-rows.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { SidePanel } from './side-panel.tsx';
import { SkeletonRows } from './skeleton-rows.tsx';
import { useChosenColumns } from './use-chosen-columns.ts';
import { useNarrow } from './use-narrow.ts';
import { useRowKeys } from './use-row-keys.ts';
import { type Selected, useRows } from './use-rows.ts';

export interface DataListProps<Row> {
  /** Unique among all lists: the chosen columns are remembered under it. */
  name: string;
  /** Names the table for those who can't see it. */
  label: string;
  /** Always the same array as long as the columns are the same. */
  columns: Column<Row>[];
  rows: Row[];
  rowId: (row: Row) => string;
  /** Where the rows come from; without it they are all there is. */
  query?: ListQuery;
  /** Says that the rows could not be loaded. */
  failed?: string;
  /** Says that there are no rows. */
  empty: string;
  /** How many rows are expected while they are loaded. */
  expected?: number;
  /** Given where the server sorts; otherwise the list sorts its rows itself. */
  sorting?: Sorting;
  onSort?: (sorting: Sorting) => void;
  /** What a row opens beside the list. */
  panel?: { title: (row: Row) => string; content: (row: Row) => ReactNode };
  selection?: {
    selected: Selected;
    onSelect: (selected: Selected) => void;
    /** What can be done with the selected rows. */
    actions: ReactNode;
  };
  /** Above the rows: which pages there are. */
  pages?: ReactNode;
  /** Beside the choice of columns, such as an export. */
  tools?: ReactNode;
  /** Scrolls by itself, in both directions, instead of with the page. */
  boxed?: boolean;
}

const ROW_PX = { wide: 40, narrow: 62 };

/** The one list: a line for each row, and all the rest of a row beside it on demand. */
export const DataList = <Row extends object>(props: DataListProps<Row>) => {
  const { name, label, columns, query, failed, empty, expected = 8, panel, selection, boxed } = props;
  const { pages, tools } = props;
  const holder = useRef<HTMLDivElement>(null);
  const scrollTo = useRef<(index: number) => void>(undefined);
  const [opened, setOpened] = useState<Row>();
  const { chosen, choose } = useChosenColumns(name, columns);
  const { table, sorting } = useRows({
    ...props,
    selected: selection?.selected,
    onSelect: selection?.onSelect,
  });
  const rows: BodyRow<Row>[] = table.getRowModel().rows;
  const narrow = useNarrow(holder, boxed ? 0 : neededWidth(chosen, selection !== undefined));
  const selected = Object.keys(selection?.selected ?? {});

  const openedId = opened && props.rowId(opened);
  const at = rows.findIndex(({ id }) => id === openedId);
  const findRow = (index: number) => holder.current?.querySelector<HTMLElement>(`tr[data-index="${index}"]`);
  const focusRow = (index: number) => {
    if (!findRow(index)) scrollTo.current?.(index);
    requestAnimationFrame(() => findRow(index)?.focus());
  };
  const open = useStable((row: Row) => setOpened(row));
  const select = useStable((id: string, event: unknown) =>
    table.getRow(id).getToggleSelectedHandler()(event),
  );
  const keys = useRowKeys({
    count: rows.length,
    focusRow,
    onOpen: panel && ((index) => open(rows[index]?.original as Row)),
    onSelect: selection && ((index) => table.getRow(rows[index]?.id as string).toggleSelected()),
  });
  const step = (by: 1 | -1) => {
    const next = rows[at + by];
    if (!next) return undefined;
    return () => {
      setOpened(next.original);
      findRow(at + by)?.scrollIntoView({ block: 'nearest' });
    };
  };
  const close = () => {
    setOpened(undefined);
    if (at >= 0) focusRow(at);
  };

  const optional = columns.some(({ choice }) => choice);
  const style = { '--tracks': tracksOf(chosen, selection !== undefined) } as CSSProperties;
  return (
    <div
      className={classes.list}
      data-narrow={narrow || undefined}
      data-stale={query?.isPlaceholderData || undefined}
      aria-busy={query?.isFetching}
      style={style}
    >
      {(pages || tools || optional) && (
        <div className={classes.tools}>
          {pages}
          <span className={classes.space} />
          {tools}
          {optional && <ColumnChoice columns={columns} chosen={chosen} onChoose={choose} />}
        </div>
      )}
      {query?.isError && (
        <LoadFailure
          text={rows.length > 0 ? `${failed} ${t('lists.stale')}` : (failed ?? '')}
          reason={query.error?.message}
          tryAgain={t('layout.try_again')}
          retrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      <div ref={holder} className={boxed ? classes.box : undefined}>
        <table className={classes.table} aria-label={label}>
          <ListHead
            columns={chosen}
            sorting={sorting}
            onSort={(id) => table.getColumn(id)?.toggleSorting()}
            selected={
              selection &&
              (table.getIsAllRowsSelected() ? 'all' : table.getIsSomeRowsSelected() ? 'some' : 'none')
            }
            onSelectAll={(all) => table.toggleAllRowsSelected(all)}
          />
          <ListRows
            rows={rows}
            boxed={boxed}
            rowHeight={narrow ? ROW_PX.narrow : ROW_PX.wide}
            even={!narrow}
            holder={holder}
            body={{ onKeyDown: keys.onKeyDown, onFocus: keys.onFocus }}
            scrollTo={scrollTo}
          >
            {({ id, original }, index, { first, last, partly, measure }) => (
              <ListRow
                key={id}
                id={id}
                row={original}
                index={index}
                columns={chosen}
                counted={partly}
                opened={id === openedId}
                selected={selection?.selected[id] ?? false}
                tabbable={index === (keys.active < first || keys.active > last ? first : keys.active)}
                measure={measure}
                onOpen={panel && open}
                onSelect={selection && select}
              />
            )}
          </ListRows>
        </table>
      </div>
      {query?.isPending && <SkeletonRows columns={chosen} count={expected} />}
      {rows.length === 0 && !query?.isPending && !query?.isError && <p className={classes.empty}>{empty}</p>}
      {query?.hasNextPage && (
        <div className={classes.more}>
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage?.()}
          >
            {t('layout.load_more')}
          </Button>
        </div>
      )}
      {selection && selected.length > 0 && (
        <SelectionBar
          count={selected.length}
          onClear={() => selection.onSelect({})}
          onSelectAll={() => table.toggleAllRowsSelected(true)}
        >
          {selection.actions}
        </SelectionBar>
      )}
      {panel && opened && (
        <SidePanel
          id={openedId as string}
          title={panel.title(rows[at]?.original ?? opened)}
          onStep={{ next: step(1), previous: at > 0 ? step(-1) : undefined }}
          onClose={close}
        >
          {panel.content(rows[at]?.original ?? opened)}
        </SidePanel>
      )}
    </div>
  );
};
