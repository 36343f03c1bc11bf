import { sql } from 'kysely';
import type { Db } from '../../../ground/postgres/index.ts';

/** Merges the rows for the same key into one. */
export const foldCounts = async (db: Db, hours: number): Promise<void> => {
  await sql`
    with taken as (
      delete from message_counts c using (
        select distinct account_id, hour from message_counts
        where hour >= now() - make_interval(hours => ${hours})
        group by account_id, hour, channel, type, status, test, country, unit_micros, device having count(*) > 1
      ) many
      where c.account_id = many.account_id and c.hour = many.hour
      returning c.*
    )
    insert into message_counts
    select hour, account_id, channel, type, status, test, country, unit_micros, sum(messages), sum(segments),
      sum(price_micros), device
    from taken group by 1, 2, 3, 4, 5, 6, 7, 8, device
    having sum(messages) <> 0 or sum(segments) <> 0 or sum(price_micros) <> 0`.execute(db);
};

/** Merges the rows for the same hour into one. */
export const foldDeliveries = async (db: Db, hours: number): Promise<void> => {
  await sql`
    with taken as (
      delete from delivery_counts c using (
        select account_id, hour from delivery_counts
        where hour >= now() - make_interval(hours => ${hours})
        group by account_id, hour having count(*) > 1
      ) many
      where c.account_id = many.account_id and c.hour = many.hour
      returning c.*
    )
    insert into delivery_counts
    select hour, account_id, sum(messages) from taken group by 1, 2`.execute(db);
};

/** The eight hours that an hour lies in. */
const SINCE = sql`date_bin('8 hours', hour, timestamptz '2000-01-01 00:00+00')`;

/** Merges the rows for the same key into one, and adds what is new to the sums of eight hours. */
export const foldLaneCounts = async (db: Db, hours: number): Promise<void> => {
  await sql`
    with taken as (
      delete from lane_counts c using (
        select distinct hour, lane_id from lane_counts
        where not summed and hour >= now() - make_interval(hours => ${hours})
      ) many
      where c.hour = many.hour and c.lane_id = many.lane_id
      returning c.*
    ), added as (
      insert into lane_sums
      select ${SINCE}, lane_id, channel, status, country, carrier, sum(messages), sum(price_micros), sum(cost_micros)
      from taken where not summed and type = 'outgoing' group by 1, 2, 3, 4, 5, 6
      having sum(messages) <> 0 or sum(price_micros) <> 0 or sum(cost_micros) <> 0 order by 1, 2, 3, 4, 5, 6
      on conflict (since, lane_id, channel, status, country, carrier) do update
      set messages = lane_sums.messages + excluded.messages,
        price_micros = lane_sums.price_micros + excluded.price_micros,
        cost_micros = lane_sums.cost_micros + excluded.cost_micros
    )
    insert into lane_counts
    select hour, lane_id, channel, type, status, test, country, carrier, sum(messages), sum(segments),
      sum(price_micros), sum(cost_micros), true, decided_from
    from taken group by 1, 2, 3, 4, 5, 6, 7, 8, decided_from
    having sum(messages) <> 0 or sum(segments) <> 0 or sum(price_micros) <> 0 or sum(cost_micros) <> 0`.execute(
    db,
  );
};

/** As foldLaneCounts. */
export const foldDurations = async (db: Db, hours: number): Promise<void> => {
  await sql`
    with taken as (
      delete from duration_counts c using (
        select distinct hour from duration_counts
        where not summed and hour >= now() - make_interval(hours => ${hours})
      ) many
      where c.hour = many.hour and c.summed in (false, true)
      returning c.*
    ), added as (
      insert into duration_sums
      select ${SINCE}, lane_id, country, carrier, bucket, sum(messages) from taken where not summed
      group by 1, 2, 3, 4, 5 having sum(messages) <> 0 order by 1, 2, 3, 4, 5
      on conflict (since, lane_id, country, carrier, bucket) do update
      set messages = duration_sums.messages + excluded.messages
    )
    insert into duration_counts
    select hour, lane_id, country, carrier, bucket, sum(messages), true from taken group by 1, 2, 3, 4, 5
    having sum(messages) <> 0`.execute(db);
};

/** Merges the rows of a minute into one, and removes what the live chart no longer shows. */
export const foldTraffic = async (db: Db): Promise<void> => {
  await sql`
    with taken as (
      delete from traffic_counts c using (
        select minute from traffic_counts group by minute
        having count(*) > 1 or minute < now() - interval '2 hours'
      ) many
      where c.minute = many.minute
      returning c.*
    )
    insert into traffic_counts
    select minute, sum(accepted), sum(sent), sum(failed), sum(received) from taken
    where minute >= now() - interval '2 hours' group by 1`.execute(db);
};
