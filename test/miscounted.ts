import { sql } from 'kysely';
import type { Db } from '../server/ground/postgres/index.ts';

/** Differences between the counters and the messages. */
export const findMiscounted = async (db: Db): Promise<object[]> => {
  const hour = sql`date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00')`;
  const since = sql`date_bin('8 hours', hour, timestamptz '2000-01-01 00:00+00')`;
  const { rows } = await sql<object>`
    with counted as (
      select hour, account_id, channel, type, status, test, country, unit_micros, sum(messages) as messages,
        sum(segments) as segments, sum(price_micros)::bigint as price_micros, device
      from message_counts group by 1, 2, 3, 4, 5, 6, 7, 8, device having sum(messages) <> 0
    ), found as (
      select ${hour}, coalesce(account_id, '00000000-0000-0000-0000-000000000000'), channel, type, status, test,
        country, price_micros / greatest(segment, 1), count(*), sum(segment), sum(price_micros)::bigint,
        coalesce(message_device(sender), '')
      from messages
      group by grouping sets ((1, account_id, 3, 4, 5, 6, 7, 8, message_device(sender)), (1, 3, 4, 5, 6, 7, 8))
    ), delivered as (
      select hour, account_id, sum(messages)::bigint as messages from delivery_counts group by 1, 2
    ), reported as (
      select ${hour}, account_id, count(*) from messages
      where delivered_at is not null and type = 'outgoing' and not (test and price_micros = 0) group by 1, 2
    ), by_lane as (
      select hour, lane_id, channel, type, status, test, country, carrier, decided_from, sum(messages) as messages,
        sum(segments) as segments, sum(price_micros)::bigint as price_micros, sum(cost_micros)::bigint as cost_micros
      from lane_counts group by 1, 2, 3, 4, 5, 6, 7, 8, 9 having sum(messages) <> 0
    ), on_lanes as (
      select ${hour}, coalesce(lane_id, 0), channel, type, status, test, country, coalesce(carrier, ''),
        decided_from, count(*), sum(segment), sum(price_micros)::bigint, sum(cost_micros)::bigint
      from messages group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    ), by_duration as (
      select hour, lane_id, country, carrier, bucket, sum(messages) as messages
      from duration_counts group by 1, 2, 3, 4, 5 having sum(messages) <> 0
    ), took as (
      select hour, lane_id, country, carrier, bucket, count(*) from (
        select ${hour} as hour, coalesce(lane_id, 0) as lane_id, country, coalesce(carrier, '') as carrier,
          duration_bucket(coalesce(scheduled_at, created_at), sent_at) as bucket
        from messages where status = 'SUCCESS' and type = 'outgoing' and sent_at is not null
      ) timed
      group by grouping sets ((hour, lane_id, bucket), (hour, country, bucket), (hour, carrier, bucket))
    )
    select 'messages' as of, to_jsonb(one) as row from (
      (table counted except table found) union all (table found except table counted)) one
    union all
    select 'lanes', to_jsonb(one) from (
      (table by_lane except table on_lanes) union all (table on_lanes except table by_lane)) one
    union all
    select 'durations', to_jsonb(one) from (
      (table by_duration except table took) union all (table took except table by_duration)) one
    union all
    select 'sums by lane', to_jsonb(one) from (
      select since, lane_id, channel, status, country, carrier, sum(messages) as messages, sum(price_micros) as price,
        sum(cost_micros) as cost
      from (
        select * from lane_sums
        union all select ${since}, lane_id, channel, status, country, carrier, -messages, -price_micros, -cost_micros
        from lane_counts where summed and type = 'outgoing'
      ) differences group by 1, 2, 3, 4, 5, 6
      having sum(messages) <> 0 or sum(price_micros) <> 0 or sum(cost_micros) <> 0) one
    union all
    select 'sums of durations', to_jsonb(one) from (
      select since, lane_id, country, carrier, bucket, sum(messages) as messages
      from (
        select * from duration_sums
        union all select ${since}, lane_id, country, carrier, bucket, -messages from duration_counts where summed
      ) differences group by 1, 2, 3, 4, 5 having sum(messages) <> 0) one
    union all
    select 'deliveries', to_jsonb(one) from (
      (table delivered except table reported) union all (table reported except table delivered)) one`.execute(
    db,
  );
  return rows;
};
