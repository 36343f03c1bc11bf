import type { AcceptedRow, RefusedRow } from './judge.ts';
import type { NewUpload } from './store.ts';

/** Whom the rows of a file are for. */
export const addresseesOf =
  ({ accountId, channel }: Pick<NewUpload, 'accountId' | 'channel'>) =>
  ({ recipient }: Pick<AcceptedRow, 'recipient'>) => ({ accountId, channel, recipient });

export const refuseOptedOut = ({ row, cells }: AcceptedRow, column: string): RefusedRow => ({
  row,
  column,
  code: 'E_OPTED_OUT',
  params: {},
  cells,
});

/** What rows that were counted as accepted came to. */
export const sumOf = (rows: Pick<AcceptedRow, 'segments' | 'priceMicros'>[]) => ({
  segments: rows.reduce((total, { segments }) => total + segments, 0),
  priceMicros: rows.reduce((total, { priceMicros }) => total + priceMicros, 0n),
});
