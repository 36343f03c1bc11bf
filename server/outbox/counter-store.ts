import { sql } from 'kysely';
import type { Db } from '../postgres/index.ts';

/** Merges the rows for the same key into one. */
export const foldCounts = async (db: Db, hours: number): Promise<void> => {
  await sql`
    with taken as (
      delete from message_counts c using (
        select distinct account_id, hour from message_counts
        where hour >= now() - make_interval(hours => ${hours})
        group by account_id, hour, channel, type, status, test, country, unit_micros having count(*) > 1
      ) many
      where c.account_id = many.account_id and c.hour = many.hour
      returning c.*
    )
    insert into message_counts
    select hour, account_id, channel, type, status, test, country, unit_micros, sum(messages), sum(segments),
      sum(price_micros)
    from taken group by 1, 2, 3, 4, 5, 6, 7, 8
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

/** Merges the rows for the same key into one. */
export const foldLaneCounts = async (db: Db, hours: number): Promise<void> => {
  await sql`
    with taken as (
      delete from lane_counts c using (
        select distinct hour, lane_id from lane_counts where hour >= now() - make_interval(hours => ${hours})
        group by hour, lane_id, channel, status, test, country, bucket having count(*) > 1
      ) many
      where c.hour = many.hour and c.lane_id = many.lane_id
      returning c.*
    )
    insert into lane_counts
    select hour, lane_id, channel, status, test, country, bucket, sum(messages), sum(segments), sum(price_micros),
      sum(cost_micros)
    from taken group by 1, 2, 3, 4, 5, 6, 7
    having sum(messages) <> 0 or sum(segments) <> 0 or sum(price_micros) <> 0 or sum(cost_micros) <> 0`.execute(
    db,
  );
};
