import type { AccountId } from '../../contract/accounts.ts';
import { findCustomersInSession } from '../outbox/index.ts';
import type { Db } from '../postgres/index.ts';
import type { Terms } from '../sending/index.ts';
import type { AcceptedRow, RefusedRow } from './judge.ts';

/** Separates rows to customers who can't get free text just now from the others, by one query for all. */
export const separateOutside = async <R extends Pick<AcceptedRow, 'recipient'>>(
  db: Db,
  { accountId, terms, rows }: { accountId: AccountId; terms: Terms; rows: R[] },
): Promise<{ inside: R[]; outside: R[] }> => {
  if (terms.lane.sessionHours === null || rows.length === 0) return { inside: rows, outside: [] };
  const customers = await findCustomersInSession(db, {
    accountId,
    laneId: terms.lane.id,
    customers: rows.map(({ recipient }) => recipient),
    at: terms.schedule?.at,
  });
  return {
    inside: rows.filter(({ recipient }) => customers.has(recipient)),
    outside: rows.filter(({ recipient }) => !customers.has(recipient)),
  };
};

export const refuseOutside = ({ row, cells }: AcceptedRow, column: string, { lane }: Terms): RefusedRow => ({
  row,
  column,
  code: 'E_NO_SESSION',
  params: { hours: lane.sessionHours ?? 0 },
  cells,
});
