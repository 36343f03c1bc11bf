import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { Db } from '../../../ground/postgres/index.ts';

const LATEST = 2_000;
/** Fewer say nothing about the pace of many. */
const ENOUGH = 200;
/** Per second, as long as nothing was measured: a single link's usual pace. */
const ASSUMED = 200;

/** Messages per second of the account's last file on this channel. */
export const readPace = (db: Db, accountId: AccountId, channel: Channel): Promise<number> =>
  db.transaction().execute(async (trx) => {
    // Rows since the last ANALYZE are not in the table's statistics: the planner would sort all of the account's
    // messages for the latest (a third of a second for a hundred thousand).
    await sql`set local enable_bitmapscan = off`.execute(trx);
    await sql`set local enable_seqscan = off`.execute(trx);
    // File by file: the time between two files says nothing about the pace.
    const { rows } = await sql<{ sent: number; seconds: number }>`
      select sent, seconds from (
        select count(sent_at)::int as sent, extract(epoch from max(sent_at) - min(sent_at))::float8 as seconds,
          max(created_at) as created_at
        from (
          select batch_id, sent_at, channel, priority, created_at from messages
          where account_id = ${accountId} and type = 'outgoing'
          order by created_at desc, id desc limit ${LATEST}
        ) latest where channel = ${channel} and priority > 0 group by batch_id
      ) files where sent >= ${ENOUGH} and seconds > 0 order by created_at desc limit 1`.execute(trx);
    const [last] = rows;
    return last ? last.sent / last.seconds : ASSUMED;
  });
