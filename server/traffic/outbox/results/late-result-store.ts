import { sql } from 'kysely';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { type Attempted, UNCOUNTED } from '../waiting/claimed-store.ts';
import { UNKNOWN_OUTCOME } from './result-store.ts';

export interface LateRow extends Attempted {
  /** Its outcome was unknown until now. */
  unknown: boolean;
  /** It was also shown to an admin as unknown. */
  told: boolean;
  /** The attempt has no result yet; its worker, or the recovery of it, may still write one. */
  open: boolean;
}

/**
 * The attempt of which nobody knows. Usually it is counted; if its worker died before it wrote anything, the last one
 * that counts is one that was deferred, or there is none.
 */
const IN_DOUBT = sql`m.attempts + case when m.attempts = 0
  or (m.tries -> -1 ->> 'attempt')::int = m.attempts then 1 else 0 end`;

/** The messages of these attempts, locked; with `laneIds` only those of these lanes. */
export const lockLate = async (
  trx: Db,
  attempts: { id: MessageId; attempt: number }[],
  laneIds?: number[],
): Promise<(LateRow & { attempt: number })[]> => {
  const { rows } = await sql<Omit<LateRow, 'claim'> & { attempt: number; claimedAt: string }>`
    select m.id, m.account_id as "accountId", m.lane_id as "laneId", m.created_at::text as "createdAt",
      to_char(m.created_at at time zone 'UTC', 'YYYY_MM') as month, m.attempts + 1 as attempts, g.attempt, ${UNCOUNTED} as uncounted,
      coalesce(m.claimed_at, now())::text as "claimedAt", m.status <> 'PENDING' as told,
      m.unknown_since is not null and g.attempt = ${IN_DOUBT}
        and (m.status = 'PENDING' or (m.status = 'FAILED_WITH_EXCEPTION' and m.error_code = ${UNKNOWN_OUTCOME})) as unknown,
      m.unknown_since is null and m.attempts < g.attempt and m.status = 'PENDING' as open
    from unnest(${attempts.map(({ id }) => id)}::uuid[], ${attempts.map(({ attempt }) => attempt)}::smallint[])
      as g (id, attempt)
    join messages m on m.id = g.id and m.type = 'outgoing'
      ${laneIds ? sql`and m.lane_id = any(${laneIds}::int[])` : sql``}
    order by m.created_at, m.id for update of m`.execute(trx);
  return rows.map(({ claimedAt, ...row }) => ({
    ...row,
    // The message is in no claim any more, so its result finishes none.
    claim: { id: 0n, at: claimedAt, open: Number.POSITIVE_INFINITY },
  }));
};
