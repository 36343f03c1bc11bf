import { sql } from 'kysely';
import type { Db } from '../../../ground/postgres/index.ts';

/** What went by a lane on a day. */
export interface LaneDay {
  laneId: number;
  /** YYYY-MM-DD. */
  day: string;
  /** Handed over or tried: all that ended, but for those that were cancelled or that an admin decided. */
  sent: number;
  /** Without those that failed. */
  net: number;
  costMicros: bigint;
}

/**
 * By the day on which the messages were accepted, and by what their lane made of them: what an admin decides, before or
 * after, is not its doing.
 */
export const readLaneDays = async (
  db: Db,
  laneIds: number[],
  { from, timeZone }: { from: Date; timeZone: string },
): Promise<LaneDay[]> => {
  const made = sql`coalesce(decided_from, status)`;
  const succeeded = sql`${made} in ('SUCCESS', 'FAILED_WITH_EXCEPTION')`;
  const { rows } = await sql<LaneDay>`
    select lane_id as "laneId", to_char(hour at time zone ${timeZone}, 'YYYY-MM-DD') as day,
      coalesce(sum(messages) filter (where ${made} <> 'CANCELLED'), 0)::int as sent,
      coalesce(sum(messages) filter (where ${succeeded}), 0)::int as net,
      coalesce(sum(cost_micros) filter (where ${succeeded}), 0)::bigint as "costMicros"
    from lane_counts
    where hour >= ${from} and lane_id = any(${laneIds}::int[]) and type = 'outgoing' and ${made} <> 'PENDING'
    group by 1, 2`.execute(db);
  return rows;
};
