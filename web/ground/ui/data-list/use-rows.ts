import {
  createSortedRowModel,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import type { Column } from './column.ts';
import type { Sorting } from './list-head.tsx';

const features = tableFeatures({
  rowSortingFeature,
  rowSelectionFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { basic: sortFn_basic },
});

export type Selected = RowSelectionState;

/** Always the same object, so that the table does not see another selection. */
const NOTHING: Selected = {};

export interface BodyRow<Row> {
  id: string;
  original: Row;
}

interface RowsOptions<Row> {
  columns: Column<Row>[];
  rows: Row[];
  rowId: (row: Row) => string;
  /** Given where the server sorts; otherwise the list sorts its rows itself. */
  sorting?: Sorting;
  onSort?: (sorting: Sorting) => void;
  selected?: Selected;
  onSelect?: (selected: Selected) => void;
}

const toState = (sorting: Sorting | undefined): SortingState =>
  sorting ? [{ id: sorting.sort, desc: sorting.order === 'desc' }] : [];

/** The rows in their order, and how that order and the selection change. */
export const useRows = <Row extends object>(options: RowsOptions<Row>) => {
  const { columns, rows, rowId, onSort, selected = NOTHING, onSelect } = options;
  const [ownSorting, setOwnSorting] = useState<Sorting>();
  const sorting = onSort ? options.sorting : ownSorting;
  const setSorting = onSort ?? setOwnSorting;
  const defined = useMemo(
    () =>
      columns.map(({ id, sort, value }) => ({
        id,
        accessorFn: (row: Row) => value?.(row),
        enableSorting: sort !== undefined,
        sortDescFirst: sort === 'desc',
        sortFn: 'basic' as const,
      })),
    [columns],
  );
  // The rows are sorted again only when this changes.
  const state = useMemo(() => toState(sorting), [sorting]);
  const table = useTable({
    features,
    columns: defined,
    data: rows,
    getRowId: rowId,
    manualSorting: onSort !== undefined,
    enableSortingRemoval: false,
    enableMultiSort: false,
    state: { sorting: state, rowSelection: selected },
    onSortingChange: (update) => {
      const [next] = typeof update === 'function' ? update(state) : update;
      if (next) setSorting({ sort: next.id, order: next.desc ? 'desc' : 'asc' });
    },
    onRowSelectionChange: (update) => onSelect?.(typeof update === 'function' ? update(selected) : update),
  });
  return {
    rows: table.getRowModel().rows as BodyRow<Row>[],
    sorting,
    sortBy: (id: string) => table.getColumn(id)?.toggleSorting(),
    selectedPart: table.getIsAllRowsSelected() ? 'all' : table.getIsSomeRowsSelected() ? 'some' : 'none',
    /** By a checkbox's event, or by a key without one. */
    select: (id: string, event?: unknown) =>
      event ? table.getRow(id).getToggleSelectedHandler()(event) : table.getRow(id).toggleSelected(),
    selectAll: (selected: boolean) => table.toggleAllRowsSelected(selected),
  } as const;
};
