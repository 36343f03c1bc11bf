import { lazy, type ReactNode, Suspense } from 'react';
import type { BodyRow } from './use-rows.ts';
import type { Shown, VirtualRowsProps } from './virtual-rows.tsx';

const PageRows = lazy(() => import('./virtual-rows.tsx').then((module) => ({ default: module.PageRows })));
const BoxRows = lazy(() => import('./virtual-rows.tsx').then((module) => ({ default: module.BoxRows })));

/** More rows than this are not all in the page at once. */
const MANY = 100;
/** More columns than this are not all in the page at once, where the list scrolls by itself. */
const MANY_COLUMNS = 30;

interface ListRowsProps<Row> extends Omit<VirtualRowsProps, 'count' | 'children'> {
  rows: BodyRow<Row>[];
  boxed?: boolean;
  children: (row: BodyRow<Row>, index: number, shown: Shown) => ReactNode;
}

/** All rows, or of many only those in sight. */
export const ListRows = <Row,>({ rows, boxed, children, ...rest }: ListRowsProps<Row>) => {
  const shown = { first: 0, last: Math.min(rows.length, MANY) - 1, partly: false };
  const first = rows.slice(0, MANY).map((row, index) => children(row, index, shown));
  const few = <tbody {...rest.body}>{first}</tbody>;
  if (rows.length <= MANY && !(boxed && rest.widths.length > MANY_COLUMNS)) return few;
  const Rows = boxed ? BoxRows : PageRows;
  return (
    <Suspense fallback={few}>
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
