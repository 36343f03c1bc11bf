import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { SendingDeps } from '../sending/index.ts';
import type { AcceptedRow, RefusedRow } from './judge.ts';

interface Asked<R> {
  accountId: AccountId;
  channel: Channel;
  rows: R[];
}

/** Separates rows whose recipient has opted out from the others, by one query for all of them. */
export const separateOptedOut = async <R extends Pick<AcceptedRow, 'recipient'>>(
  db: Db,
  { optOuts }: Pick<SendingDeps, 'optOuts'>,
  { accountId, channel, rows }: Asked<R>,
): Promise<{ willing: R[]; optedOut: R[] }> => {
  const places = await optOuts.find(
    db,
    rows.map(({ recipient }) => ({ accountId, channel, recipient })),
  );
  if (places.size === 0) return { willing: rows, optedOut: [] };
  return {
    willing: rows.filter((_, place) => !places.has(place)),
    optedOut: rows.filter((_, place) => places.has(place)),
  };
};

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
