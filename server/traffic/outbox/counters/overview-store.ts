import { sql } from 'kysely';
import type { Db } from '../../../ground/postgres/index.ts';

/** Messages whose outcome nobody knows, up to a limit, and since when the first is. */
export const countInDoubtUpTo = async (
  db: Db,
  limit: number,
): Promise<{ count: number; since: Date | null }> => {
  const { rows } = await sql<{ count: number; since: Date | null }>`
    select count(*)::int as count, min(created_at) as since from (
      select created_at from messages
      where unknown_since is not null and status in ('PENDING', 'FAILED_WITH_EXCEPTION') limit ${limit}
    ) few`.execute(db);
  return rows[0] ?? { count: 0, since: null };
};

export interface TrafficMinute {
  minute: Date;
  accepted: number;
  sent: number;
  failed: number;
  received: number;
}

/** Every minute of the last ones, the current one last. */
export const readTraffic = async (db: Db, minutes: number): Promise<TrafficMinute[]> => {
  const { rows } = await sql<TrafficMinute>`
    select m.minute, coalesce(sum(c.accepted), 0)::int as accepted, coalesce(sum(c.sent), 0)::int as sent,
      coalesce(sum(c.failed), 0)::int as failed, coalesce(sum(c.received), 0)::int as received
    from generate_series(date_trunc('minute', now()) - make_interval(mins => ${minutes - 1}),
      date_trunc('minute', now()), interval '1 minute') as m (minute)
    left join traffic_counts c on c.minute = m.minute group by 1 order by 1`.execute(db);
  return rows;
};
