import { sql } from 'kysely';
import type { Db } from '../../../ground/postgres/index.ts';
import type { MinuteSends } from './throttle.ts';

export interface LaneSends {
  laneId: number;
  /** Any moment of the minute, in milliseconds. */
  at: number;
  sent: number;
}

/** Stores what throttled lanes have sent; within the transaction that stores the results. */
export const noteSends = async (db: Db, sends: LaneSends[]): Promise<void> => {
  if (sends.length === 0) return;
  await sql`
    insert into lane_sends (lane_id, minute, sent)
    select lane_id, date_trunc('minute', to_timestamp(at / 1000), 'UTC'), sum(sent) from unnest(
      ${sends.map(({ laneId }) => laneId)}::int[], ${sends.map(({ at }) => at)}::float8[],
      ${sends.map(({ sent }) => sent)}::int[]) as given (lane_id, at, sent) group by 1, 2`.execute(db);
};

/** What each of these lanes sent in the last day, or after a minute of it, by the minute. */
export const readLaneSends = async (
  db: Db,
  laneIds: number[],
  { after = new Date(0) }: { after?: Date } = {},
): Promise<Map<number, MinuteSends[]>> => {
  const { rows } = await sql<{ laneId: number; minute: Date; sent: number }>`
    select lane_id as "laneId", minute, sum(sent)::int as sent from lane_sends
    where lane_id = any(${laneIds}::int[]) and minute > greatest(${after}, now() - interval '1 day 2 minutes')
    group by 1, 2 order by 1, 2`.execute(db);
  return Map.groupBy(rows, ({ laneId }) => laneId);
};

/** No window is longer than a day. */
export const forgetOldSends = async (db: Db): Promise<void> => {
  await sql`delete from lane_sends where minute < now() - interval '25 hours'`.execute(db);
};
