import { useState } from 'react';
import type { BodyRow } from './use-rows.ts';

interface OpenedRowOptions<Row> {
  rows: BodyRow<Row>[];
  rowId: (row: Row) => string;
  findRow: (index: number) => HTMLElement | null | undefined;
  focusRow: (index: number) => void;
}

/** The row that is open beside the list, and the ways from it. It stays open when the list no longer has it. */
export const useOpenedRow = <Row>({ rows, rowId, findRow, focusRow }: OpenedRowOptions<Row>) => {
  const [opened, open] = useState<Row>();
  const id = opened && rowId(opened);
  const at = rows.findIndex((row) => row.id === id);
  const stepTo = (index: number) => {
    const next = rows[index];
    if (at < 0 || !next) return undefined;
    return () => {
      open(next.original);
      findRow(index)?.scrollIntoView({ block: 'nearest' });
    };
  };
  const close = () => {
    open(undefined);
    if (at >= 0) focusRow(at);
  };
  return {
    id,
    /** As the list has it now, otherwise as it was. */
    row: rows[at]?.original ?? opened,
    open,
    close,
    steps: { next: stepTo(at + 1), previous: stepTo(at - 1) },
  };
};
