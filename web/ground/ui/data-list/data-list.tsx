import { type CSSProperties, type ReactNode, useRef } from 'react';
import { t } from '../../i18n/translate.ts';
import { LoadFailure } from '../feedback/load-failure.tsx';
import { type Column, neededWidth, tracksOf } from './column.ts';
import classes from './data-list.module.css';
import { ListEnd } from './list-end.tsx';
import type { Sorting } from './list-head.tsx';
import type { ListQuery } from './list-query.ts';
import { ListTable } from './list-table.tsx';
import { ListTools } from './list-tools.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { SidePanel } from './side-panel.tsx';
import { useChosenColumns } from './use-chosen-columns.ts';
import { useNarrow } from './use-narrow.ts';
import { useOpenedRow } from './use-opened-row.ts';
import { useRowFocus } from './use-row-focus.ts';
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
    /** Rows that match but are on other pages: how many match in all, and whether all of them are selected. */
    matching?: { count: number; chosen: boolean; onChoose: () => void };
  };
  /** Above the rows: which pages there are. */
  pages?: ReactNode;
  /** Beside the choice of columns, such as an export. */
  tools?: ReactNode;
  /** Scrolls by itself, in both directions, instead of with the page. */
  boxed?: boolean;
}

/** The one list: a line for each row, and all the rest of a row beside it on demand. */
export const DataList = <Row extends object>(props: DataListProps<Row>) => {
  const { name, label, columns, query, failed = '', empty, expected = 8, panel, selection, boxed } = props;
  const holder = useRef<HTMLDivElement>(null);
  const { chosen, choose } = useChosenColumns(name, columns);
  const list = useRows({ ...props, selected: selection?.selected, onSelect: selection?.onSelect });
  const { rows } = list;
  const selectable = selection !== undefined;
  const needed = neededWidth(chosen, selectable);
  const narrow = useNarrow(holder, boxed ? 0 : needed);
  const { scrollTo, findRow, focusRow } = useRowFocus(holder);
  const opened = useOpenedRow({ rows, rowId: props.rowId, findRow, focusRow });
  const selectedCount = Object.keys(selection?.selected ?? {}).length;
  const matching = selection?.matching;

  return (
    <div
      className={classes.list}
      data-narrow={narrow || undefined}
      data-stale={query?.isPlaceholderData || undefined}
      data-failed={(query?.isError && rows.length === 0) || undefined}
      aria-busy={query?.isFetching}
      style={{ '--tracks': tracksOf(chosen, selectable), '--needed': `${needed}rem` } as CSSProperties}
    >
      <ListTools
        pages={props.pages}
        tools={props.tools}
        columns={columns}
        chosen={chosen}
        onChoose={choose}
      />
      {query?.isError && (
        <div className={classes.failure}>
          <LoadFailure
            text={rows.length > 0 ? `${failed} ${t('lists.stale')}` : failed}
            reason={query.error?.message}
            tryAgain={t('layout.try_again')}
            retrying={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        </div>
      )}
      <ListTable
        label={label}
        columns={chosen}
        list={list}
        selected={selection?.selected}
        openedId={opened.id}
        onOpen={panel && opened.open}
        narrow={narrow}
        boxed={boxed}
        holder={holder}
        scrollTo={scrollTo}
        focusRow={focusRow}
      />
      <ListEnd
        query={query}
        columns={chosen}
        expected={expected}
        empty={rows.length === 0 ? empty : undefined}
      />
      {selection && selectedCount > 0 && (
        <SelectionBar
          count={matching?.chosen ? matching.count : selectedCount}
          beyond={
            matching && !matching.chosen && matching.count > selectedCount && selectedCount >= rows.length
              ? { count: matching.count, onSelect: matching.onChoose }
              : undefined
          }
          onClear={() => selection.onSelect({})}
          onSelectAll={() => list.selectAll(true)}
        >
          {selection.actions}
        </SelectionBar>
      )}
      {panel && opened.id !== undefined && opened.row && (
        <SidePanel
          id={opened.id}
          title={panel.title(opened.row)}
          onStep={opened.steps}
          onClose={opened.close}
        >
          {panel.content(opened.row)}
        </SidePanel>
      )}
    </div>
  );
};
