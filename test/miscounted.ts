import { sql } from 'kysely';
import type { Db } from '../server/postgres/index.ts';

/** Differences between the counters and the messages. */
export const findMiscounted = async (db: Db): Promise<object[]> => {
  const hour = sql`date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00')`;
  const { rows } = await sql<object>`
    with counted as (
      select hour, account_id, channel, type, status, test, country, unit_micros, sum(messages) as messages,
        sum(segments) as segments, sum(price_micros)::bigint as price_micros
      from message_counts group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(messages) <> 0
    ), found as (
      select ${hour}, coalesce(account_id, '00000000-0000-0000-0000-000000000000'), channel, type, status, test,
        country, price_micros / greatest(segment, 1), count(*), sum(segment), sum(price_micros)::bigint
      from messages group by grouping sets ((1, account_id, 3, 4, 5, 6, 7, 8), (1, 3, 4, 5, 6, 7, 8))
    ), delivered as (
      select hour, account_id, sum(messages)::bigint as messages from delivery_counts group by 1, 2
    ), reported as (
      select ${hour}, account_id, count(*) from messages
      where delivered_at is not null and type = 'outgoing' and not (test and price_micros = 0) group by 1, 2
    )
    select 'messages' as of, to_jsonb(one) as row from (
      (table counted except table found) union all (table found except table counted)) one
    union all
    select 'deliveries', to_jsonb(one) from (
      (table delivered except table reported) union all (table reported except table delivered)) one`.execute(
    db,
  );
  return rows;
};
