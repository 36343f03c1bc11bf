import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { BodyRow } from './use-rows.ts';
import type { Shown, VirtualRowsProps } from './virtual-rows.tsx';

const PageRows = lazy(() => import('./virtual-rows.tsx').then((module) => ({ default: module.PageRows })));
const BoxRows = lazy(() => import('./virtual-rows.tsx').then((module) => ({ default: module.BoxRows })));

/** More rows than this are not all in the page at once. */
const MANY = 100;
/** Where the list scrolls by itself, neither are more columns than this. */
const MANY_COLUMNS = 30;
/** Of many rows, as many as have this number of cells together are there until it is known which are in sight. */
const FIRST_CELLS = 600;

interface ListRowsProps<Row> extends Omit<VirtualRowsProps, 'count' | 'children'> {
  rows: BodyRow<Row>[];
  boxed?: boolean;
  children: (row: BodyRow<Row>, index: number, shown: Shown) => ReactNode;
}

const AllRows = <Row,>({ rows, body, children }: Pick<ListRowsProps<Row>, 'rows' | 'body' | 'children'>) => {
  const shown = { first: 0, last: rows.length - 1, partly: false };
  return <tbody {...body}>{rows.map((row, index) => children(row, index, shown))}</tbody>;
};

/** All rows, or of many only those in sight. */
export const ListRows = <Row,>({ rows, boxed, children, ...rest }: ListRowsProps<Row>) => {
  const columns = rest.widths.length;
  const first = boxed ? Math.min(MANY, Math.floor(FIRST_CELLS / columns)) : MANY;
  const many = rows.length > MANY || (boxed === true && columns > MANY_COLUMNS);
  // A long list stays as it is while it is searched: to make each row anew takes longer than to find it.
  const [wasMany, setWasMany] = useState(many);
  if (many && !wasMany) setWasMany(true);
  // Before a list that scrolls by itself has rows, its code is loaded and its box is measured.
  const prepares = boxed === true && rows.length === 0;
  if (!many && !wasMany && !prepares)
    return (
      <AllRows rows={rows} body={rest.body}>
        {children}
      </AllRows>
    );
  const Rows = boxed ? BoxRows : PageRows;
  return (
    <Suspense
      fallback={
        <AllRows rows={rows.slice(0, first)} body={rest.body}>
          {children}
        </AllRows>
      }
    >
      {/* What was measured of two-line rows is wrong for one-line rows. */}
      <Rows key={String(rest.even)} {...rest} count={rows.length}>
        {(index, inSight) => {
          const row = rows[index];
          return row && children(row, index, inSight);
        }}
      </Rows>
    </Suspense>
  );
};
