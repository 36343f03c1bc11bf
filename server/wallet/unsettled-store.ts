import { sql } from 'kysely';
import type { Db } from '../postgres/index.ts';

/** Payments, and refunds to a card, that nobody has settled for a while, up to a limit. */
export const countUnsettled = async (
  db: Db,
  { afterSeconds, limit }: { afterSeconds: number; limit: number },
): Promise<{ count: number; since: Date | null }> => {
  const { rows } = await sql<{ count: number; since: Date | null }>`
    select count(*)::int as count, min(created_at) as since from (
      select created_at from payments
      where status = 'PENDING' and created_at < now() - make_interval(secs => ${afterSeconds})
      union all
      select created_at from payment_refunds
      where state = 'ASKED' and created_at < now() - make_interval(secs => ${afterSeconds})
      limit ${limit}
    ) few`.execute(db);
  return rows[0] ?? { count: 0, since: null };
};
