import type { Db } from '../../ground/postgres/index.ts';
import { findCustomersInSession } from '../outbox/index.ts';
import type { Choice } from '../routing/index.ts';
import { type Prepared, routedMessage, type Terms } from '../sending/index.ts';
import type { AcceptedRow, RefusedRow } from './judge.ts';

/** A row that can't be sent: free text is allowed only so many hours after its recipient wrote. */
export type Outside<R> = R & { hours: number };

/**
 * Separates rows to customers who can't get free text just now from the others, by one query for each lane. Those who
 * can get it by the number that they wrote to.
 */
export const separateOutside = async <R extends Prepared>(
  db: Db,
  { terms, rows }: { terms: Terms; rows: R[] },
): Promise<{ inside: R[]; outside: Outside<R>[] }> => {
  if (terms.channel !== 'whatsapp') return { inside: rows, outside: [] };
  const choices = new Map<R, Choice>(rows.map((row) => [row, terms.chooser.peek(routedMessage(terms, row))]));
  const bySession = Map.groupBy(
    rows.filter((row) => choices.get(row)?.lane.sessionHours !== null),
    (row) => choices.get(row)?.lane.id ?? 0,
  );
  const inSession = new Set<R>();
  for (const [laneId, asked] of bySession) {
    const customers = await findCustomersInSession(db, {
      accountId: terms.accountId,
      laneId,
      customers: asked.map(({ recipient }) => recipient),
      at: terms.schedule?.at,
    });
    for (const row of asked) if (customers.has(row.recipient)) inSession.add(row);
  }
  const inside: R[] = [];
  const outside: Outside<R>[] = [];
  for (const row of rows) {
    const choice = choices.get(row);
    const hours = choice?.lane.sessionHours ?? null;
    if (!choice || hours === null) inside.push(row);
    else if (inSession.has(row)) inside.push({ ...row, bound: { ...choice, why: 'CONVERSATION' } });
    else outside.push({ ...row, hours });
  }
  return { inside, outside };
};

export const refuseOutside = ({ row, cells, hours }: Outside<AcceptedRow>, column: string): RefusedRow => ({
  row,
  column,
  code: 'E_NO_SESSION',
  params: { hours },
  cells,
});
