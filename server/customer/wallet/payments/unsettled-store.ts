import { sql } from 'kysely';
import type { Db } from '../../../ground/postgres/index.ts';

/** Payments are looked up at their provider within minutes, so one that is pending for longer needs attention. */
const SETTLED_WITHIN_SECONDS = 900;
const LONG_AGO = sql`now() - make_interval(secs => ${SETTLED_WITHIN_SECONDS})`;

/** Payments that nobody has settled for a while, or a refund of them to the card: of the payments `payments`. */
export const IS_UNSETTLED = sql<boolean>`((payments.status = 'PENDING' and payments.created_at < ${LONG_AGO})
  or payments.id in (select payment_id from payment_refunds where state = 'ASKED' and created_at < ${LONG_AGO}))`;

/** How many there are, up to a limit, and since when the first is. */
export const countUnsettled = async (
  db: Db,
  limit: number,
): Promise<{ count: number; since: Date | null }> => {
  const { rows } = await sql<{ count: number; since: Date | null }>`
    select count(*)::int as count, min(since) as since from (
      select created_at as since from payments where status = 'PENDING' and created_at < ${LONG_AGO}
      union all
      select created_at from payment_refunds where state = 'ASKED' and created_at < ${LONG_AGO}
      limit ${limit}
    ) few`.execute(db);
  return rows[0] ?? { count: 0, since: null };
};
