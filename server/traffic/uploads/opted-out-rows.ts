import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { AcceptedRow, RefusedRow } from './judge.ts';

/** Whom the rows of a file are for. */
export const addresseesOf =
  ({ accountId, channel }: { accountId: AccountId; channel: Channel }) =>
  ({ recipient }: Pick<AcceptedRow, 'recipient'>) => ({ accountId, channel, recipient });

export const refuseOptedOut = ({ row, cells }: AcceptedRow, column: string): RefusedRow => ({
  row,
  column,
  code: 'E_OPTED_OUT',
  params: {},
  cells,
});

/** What rows that were counted as accepted came to. */
export const rowTotals = (rows: Pick<AcceptedRow, 'segments' | 'priceMicros'>[]) => ({
  segments: rows.reduce((total, { segments }) => total + segments, 0),
  priceMicros: rows.reduce((total, { priceMicros }) => total + priceMicros, 0n),
});
