import { sql } from 'kysely';
import type { Db } from '../../../ground/postgres/index.ts';

/** A phone that wrote to somebody, or a device that did or was written to. */
export interface RecipientContact {
  laneId: number;
  recipient: string;
  /** In milliseconds. */
  at: number;
}

const hashed = sql`hashtextextended(given.recipient, 0)`;

/** Stores whom phones and devices wrote to; within the transaction that stores the results. */
export const noteRecipients = async (db: Db, meetings: RecipientContact[]): Promise<void> => {
  if (meetings.length === 0) return;
  await sql`
    insert into lane_recipients (lane_id, recipient, last_at)
    select given.lane_id, ${hashed}, to_timestamp(max(given.at) / 1000) from unnest(
      ${meetings.map(({ laneId }) => laneId)}::int[], ${meetings.map(({ recipient }) => recipient)}::text[],
      ${meetings.map(({ at }) => at)}::float8[]) as given (lane_id, recipient, at)
    group by 1, 2 order by 1, 2
    on conflict (recipient, lane_id) do update set last_at = greatest(lane_recipients.last_at, excluded.last_at)`.execute(
    db,
  );
};

/** The phone that last wrote to somebody. */
export interface LastLane {
  laneId: number;
  /** Within 24 hours: this person counts among those whom the phone may write to already. */
  today: boolean;
  at?: Date;
}

/** The phones that last wrote to these people; nothing for those whom none wrote to. */
export const readLastLanes = async (
  db: Db,
  recipients: readonly string[],
): Promise<ReadonlyMap<string, LastLane>> => {
  if (recipients.length === 0) return new Map();
  const { rows } = await sql<LastLane & { recipient: string }>`
    select distinct on (given.recipient) given.recipient, r.lane_id as "laneId",
      r.last_at > now() - interval '1 day' as today, r.last_at as at
    from unnest(${recipients}::text[]) as given (recipient)
    join lane_recipients r on r.recipient = ${hashed}
    join lanes l on l.id = r.lane_id and l.phone_id is not null
    order by given.recipient, r.last_at desc`.execute(db);
  return new Map(rows.map(({ recipient, ...last }) => [recipient, last]));
};

/** How many people each of these lanes wrote to within 24 hours. */
export const countRecipients = async (db: Db, laneIds: number[]): Promise<ReadonlyMap<number, number>> => {
  const { rows } = await sql<{ laneId: number; count: number }>`
    select lane_id as "laneId", count(*)::int as count from lane_recipients
    where lane_id = any(${laneIds}::int[]) and last_at > now() - interval '1 day' group by 1`.execute(db);
  return new Map(rows.map(({ laneId, count }) => [laneId, count]));
};

/** People don't remember a number for longer than this. */
export const forgetOldRecipients = async (db: Db): Promise<void> => {
  await sql`delete from lane_recipients where last_at < now() - interval '60 days'`.execute(db);
};
