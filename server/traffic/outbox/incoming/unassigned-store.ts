import { sql } from 'kysely';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { Db } from '../../../ground/postgres/index.ts';

interface UnassignedRow {
  id: string;
  lane: string;
  channel: Channel;
  from: string;
  to: string;
  text: string;
  receivedAt: Date;
}

/** Newest first. */
export const listUnassigned = async (
  db: Db,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<UnassignedRow[]> => {
  const { rows } = await sql<UnassignedRow>`
    select u.id::text as id, l.name as lane, u.channel, u.sender as from, u.recipient as to, u.message as text,
      u.received_at as "receivedAt"
    from unassigned_inbound u join lanes l on l.id = u.lane_id
    where ${before ? sql`u.id < ${before}::bigint` : sql`true`} order by u.id desc limit ${limit}`.execute(
    db,
  );
  return rows;
};

/** Other data than customers' is kept for this long, says the privacy text. */
const UNASSIGNED_DAYS = 60;

export const removeOldUnassigned = async (db: Db): Promise<void> => {
  await sql`delete from unassigned_inbound
    where received_at < now() - make_interval(days => ${UNASSIGNED_DAYS})`.execute(db);
};
