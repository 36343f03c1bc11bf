import type { ReactNode } from 'react';

export interface Column<Row> {
  id: string;
  label: () => string;
  cell: (row: Row) => ReactNode;
  /** In rem. A column that grows is at least this wide. */
  width: number;
  /** In rem: as wide as it gets before the others share what is left over. */
  max?: number;
  /** Its share of what is left over. */
  grow?: number;
  /** Numbers are aligned at their end. A field cuts off by itself what it has no room for: every clip slows scrolling. */
  kind?: 'number' | 'actions' | 'field';
  /** The order of the first click on its head; without it, the list can't be sorted by this column. */
  sort?: 'asc' | 'desc';
  /** What the list is sorted by where it sorts its rows itself. */
  value?: (row: Row) => string | number;
  /** The line of the row where there is little room; without it, the column is left out there. */
  line?: 1 | 2;
  /** Stays in sight where the list is scrolled sideways; for the first column. */
  pinned?: true;
  /** Whether the column is shown before the reader chooses; without it, it is always shown. */
  choice?: 'shown' | 'hidden';
}

/** The width of a checkbox's column, in rem. */
export const SELECT_WIDTH = 1.25;
/** As in the style sheet: between two columns, and at both ends together. */
export const GAP = 0.75;
export const PADDING = 1.5;

type Sized = Pick<Column<unknown>, 'width' | 'max' | 'grow'>;

const trackOf = ({ width, max, grow }: Sized): string => {
  if (grow) return `minmax(${width}rem, ${grow}fr)`;
  return max ? `minmax(${width}rem, ${max}rem)` : `${width}rem`;
};

const withSelect = (columns: Sized[], selectable: boolean): Sized[] =>
  selectable ? [{ width: SELECT_WIDTH }, ...columns] : columns;

/** The tracks of a row's grid. They don't depend on contents, so that all rows have the same. */
export const tracksOf = (columns: Sized[], selectable: boolean): string =>
  withSelect(columns, selectable).map(trackOf).join(' ');

/** The least width that shows all columns on one line, in rem. */
export const neededWidth = (columns: Sized[], selectable: boolean): number => {
  const sized = withSelect(columns, selectable);
  return sized.reduce((sum, { width }) => sum + width, (sized.length - 1) * GAP + PADDING);
};
