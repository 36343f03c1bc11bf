-- How many messages went out by which lane, by the hour (UTC) in which they were made: reports are sums of these.
-- Rows are only added, as those of message_counts are, and folded by the same task.
create table lane_counts (
  hour timestamptz not null,
  -- 0: none yet, as before the time that a message is scheduled for.
  lane_id int not null,
  channel text not null,
  status text not null,
  test boolean not null,
  country text not null,
  -- How long it took from its time to the carrier's acceptance: four to a doubling of milliseconds, see
  -- duration_bucket(); -1 for a message that was not accepted.
  bucket smallint not null,
  messages int not null,
  segments int not null,
  price_micros bigint not null,
  cost_micros bigint not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
create index lane_counts_hour on lane_counts (hour, lane_id);

create function duration_bucket(p_from timestamptz, p_until timestamptz) returns smallint language sql immutable as $$
  select floor(4 * ln(greatest(1, extract(epoch from p_until - p_from)::float8 * 1000)) / ln(2::float8))::smallint
$$;

-- The one function that keeps message_counts and lane_counts, whoever writes. A statement that changes nothing of
-- what is counted, such as a delivery receipt, is known by all rows having one status and one lane, before and after.
create or replace function message_counts_add() returns trigger language plpgsql as $$
begin
  -- One query for each kind of statement: each sees other transition tables.
  if tg_op = 'UPDATE' then
    if (select case when min(status) = max(status) and min(coalesce(lane_id, 0)) = max(coalesce(lane_id, 0))
        then min(status) || min(coalesce(lane_id, 0)) end from before_rows) =
      (select case when min(status) = max(status) and min(coalesce(lane_id, 0)) = max(coalesce(lane_id, 0))
        then min(status) || min(coalesce(lane_id, 0)) end from after_rows) then
      return null;
    end if;
    with changed as (
      select 1 as sign, date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00') as hour, account_id, channel,
        type, status, test, country, price_micros / greatest(segment, 1) as unit_micros,
        coalesce(lane_id, 0) as lane_id, case when status = 'SUCCESS' and sent_at is not null
          then duration_bucket(coalesce(scheduled_at, created_at), sent_at) else -1 end as bucket,
        segment, price_micros, cost_micros from after_rows
      union all
      select -1, date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00'), account_id, channel,
        type, status, test, country, price_micros / greatest(segment, 1),
        coalesce(lane_id, 0), case when status = 'SUCCESS' and sent_at is not null
          then duration_bucket(coalesce(scheduled_at, created_at), sent_at) else -1 end,
        segment, price_micros, cost_micros from before_rows
    ), sums as (
      select hour, account_id, channel, type, status, test, country, unit_micros, lane_id, bucket,
        grouping(lane_id) = 0 as by_lane, sum(sign) as messages, sum(sign * segment) as segments,
        sum(sign * price_micros) as price_micros, sum(sign * cost_micros) as cost_micros
      from changed
      group by grouping sets ((hour, account_id, channel, type, status, test, country, unit_micros),
        (hour, channel, type, status, test, country, unit_micros),
        (hour, lane_id, channel, type, status, test, country, bucket))
      having sum(sign) <> 0 or sum(sign * price_micros) <> 0 or sum(sign * cost_micros) <> 0
    ), by_lane as (
      insert into lane_counts
      select hour, lane_id, channel, status, test, country, bucket, messages, segments, price_micros, cost_micros
      from sums where by_lane and type = 'outgoing'
    )
    insert into message_counts
    select hour, coalesce(account_id, '00000000-0000-0000-0000-000000000000'), channel, type, status, test, country,
      unit_micros, messages, segments, price_micros from sums where not by_lane and (messages <> 0 or price_micros <> 0);
  elsif tg_op = 'INSERT' then
    with changed as (
      select date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00') as hour, account_id, channel,
        type, status, test, country, price_micros / greatest(segment, 1) as unit_micros,
        coalesce(lane_id, 0) as lane_id, case when status = 'SUCCESS' and sent_at is not null
          then duration_bucket(coalesce(scheduled_at, created_at), sent_at) else -1 end as bucket,
        segment, price_micros, cost_micros from after_rows
    ), sums as (
      select hour, account_id, channel, type, status, test, country, unit_micros, lane_id, bucket,
        grouping(lane_id) = 0 as by_lane, count(*) as messages, sum(segment) as segments,
        sum(price_micros) as price_micros, sum(cost_micros) as cost_micros
      from changed
      group by grouping sets ((hour, account_id, channel, type, status, test, country, unit_micros),
        (hour, channel, type, status, test, country, unit_micros),
        (hour, lane_id, channel, type, status, test, country, bucket))
    ), by_lane as (
      insert into lane_counts
      select hour, lane_id, channel, status, test, country, bucket, messages, segments, price_micros, cost_micros
      from sums where by_lane and type = 'outgoing'
    )
    insert into message_counts
    select hour, coalesce(account_id, '00000000-0000-0000-0000-000000000000'), channel, type, status, test, country,
      unit_micros, messages, segments, price_micros from sums where not by_lane;
  else
    with changed as (
      select date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00') as hour, account_id, channel,
        type, status, test, country, price_micros / greatest(segment, 1) as unit_micros,
        coalesce(lane_id, 0) as lane_id, case when status = 'SUCCESS' and sent_at is not null
          then duration_bucket(coalesce(scheduled_at, created_at), sent_at) else -1 end as bucket,
        segment, price_micros, cost_micros from before_rows
    ), sums as (
      select hour, account_id, channel, type, status, test, country, unit_micros, lane_id, bucket,
        grouping(lane_id) = 0 as by_lane, -count(*) as messages, -sum(segment) as segments,
        -sum(price_micros) as price_micros, -sum(cost_micros) as cost_micros
      from changed
      group by grouping sets ((hour, account_id, channel, type, status, test, country, unit_micros),
        (hour, channel, type, status, test, country, unit_micros),
        (hour, lane_id, channel, type, status, test, country, bucket))
    ), by_lane as (
      insert into lane_counts
      select hour, lane_id, channel, status, test, country, bucket, messages, segments, price_micros, cost_micros
      from sums where by_lane and type = 'outgoing'
    )
    insert into message_counts
    select hour, coalesce(account_id, '00000000-0000-0000-0000-000000000000'), channel, type, status, test, country,
      unit_micros, messages, segments, price_micros from sums where not by_lane;
  end if;
  return null;
end $$;

insert into lane_counts
select date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00'), coalesce(lane_id, 0), channel, status, test,
  country, case when status = 'SUCCESS' and sent_at is not null
    then duration_bucket(coalesce(scheduled_at, created_at), sent_at) else -1 end,
  count(*), sum(segment), sum(price_micros), sum(cost_micros)
from messages where type = 'outgoing' group by 1, 2, 3, 4, 5, 6, 7;

-- Statements that write to the table of a month are counted too.
create or replace function messages_make_partition(p_day date) returns void language plpgsql as $$
declare
  month_start date := date_trunc('month', p_day);
  next_month date := month_start + interval '1 month';
  month_name text := to_char(month_start, 'YYYY_MM');
  parent text;
begin
  perform pg_advisory_xact_lock(hashtextextended('messages_make_partition', 0));
  foreach parent in array array['messages', 'message_texts', 'carrier_ids'] loop
    if to_regclass(parent || '_' || month_name) is null then
      execute format('create table %I (like %I including defaults including constraints)',
        parent || '_' || month_name, parent);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent,
        parent || '_' || month_name, month_start::timestamp at time zone 'UTC',
        next_month::timestamp at time zone 'UTC');
      if parent = 'messages' then
        -- An answer writes the row anew: with room for it on the same page the indexes are left alone.
        execute format('alter table %I set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05,
          autovacuum_analyze_scale_factor = 0.05)', parent || '_' || month_name);
        perform messages_count_partition(parent || '_' || month_name);
      end if;
    end if;
  end loop;
end $$;
create function messages_count_partition(p_table text) returns void language plpgsql as $$
declare
  counter text;
begin
  foreach counter in array array['message_counts', 'delivery_counts'] loop
    execute format('create trigger %I after update on %I referencing old table as before_rows new table as after_rows
      for each statement execute function %I()', counter || '_update', p_table, counter || '_add');
  end loop;
end $$;
select messages_count_partition(relname)
from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'messages'::regclass;
