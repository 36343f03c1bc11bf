-- How many messages there are, by the hour (UTC) in which they were made: totals, reports and bills are sums of
-- these. Rows are only added, a few with every bulk write, so that writers never wait for each other; a task
-- folds those of an hour into one.
create table message_counts (
  hour timestamptz not null,
  -- The null id stands for all accounts together.
  account_id uuid not null,
  channel text not null,
  type text not null,
  status text not null,
  test boolean not null,
  country text not null,
  -- The price of one segment.
  unit_micros bigint not null,
  messages int not null,
  segments int not null,
  price_micros bigint not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
create index message_counts_account on message_counts (account_id, hour) include (channel, type, status, messages);

-- A statement that changes no status, such as a claim or a delivery receipt, is known by all rows having the same
-- one before and after.
create function message_counts_add() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (select min(status) || max(status) from before_rows) is not distinct from
       (select case when min(status) = max(status) then min(status) || max(status) end from after_rows) then
      return null;
    end if;
    insert into message_counts
    select date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00'),
      coalesce(account_id, '00000000-0000-0000-0000-000000000000'), channel, type, status, test, country,
      price_micros / greatest(segment, 1), sum(sign), sum(sign * segment), sum(sign * price_micros)
    from (
      select 1 as sign, account_id, channel, type, status, test, country, segment, price_micros, created_at
      from after_rows
      union all
      select -1, account_id, channel, type, status, test, country, segment, price_micros, created_at
      from before_rows
    ) changed
    group by grouping sets ((1, account_id, 3, 4, 5, 6, 7, 8), (1, 3, 4, 5, 6, 7, 8))
    having sum(sign) <> 0 or sum(sign * price_micros) <> 0;
  elsif tg_op = 'INSERT' then
    insert into message_counts
    select date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00'),
      coalesce(account_id, '00000000-0000-0000-0000-000000000000'), channel, type, status, test, country,
      price_micros / greatest(segment, 1), count(*), sum(segment), sum(price_micros)
    from after_rows
    group by grouping sets ((1, account_id, 3, 4, 5, 6, 7, 8), (1, 3, 4, 5, 6, 7, 8));
  else
    insert into message_counts
    select date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00'),
      coalesce(account_id, '00000000-0000-0000-0000-000000000000'), channel, type, status, test, country,
      price_micros / greatest(segment, 1), -count(*), -sum(segment), -sum(price_micros)
    from before_rows
    group by grouping sets ((1, account_id, 3, 4, 5, 6, 7, 8), (1, 3, 4, 5, 6, 7, 8));
  end if;
  return null;
end $$;

create trigger message_counts_insert after insert on messages
  referencing new table as after_rows for each statement execute function message_counts_add();
create trigger message_counts_update after update on messages
  referencing old table as before_rows new table as after_rows
  for each statement execute function message_counts_add();
create trigger message_counts_delete after delete on messages
  referencing old table as before_rows for each statement execute function message_counts_add();

insert into message_counts
select date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00'),
  coalesce(account_id, '00000000-0000-0000-0000-000000000000'), channel, type, status, test, country,
  price_micros / greatest(segment, 1), count(*), sum(segment), sum(price_micros)
from messages group by grouping sets ((1, account_id, 3, 4, 5, 6, 7, 8), (1, 3, 4, 5, 6, 7, 8));

-- All accounts' messages by time, for admins.
create index messages_created on messages (created_at, id);
-- By the other party's number or address. A message comes in here once, when it no longer waits.
create index messages_party on messages
  ((case type when 'incoming' then sender else recipient end) text_pattern_ops, created_at)
  where status <> 'PENDING';
drop index messages_sent_to;

-- The texts once more, in lower case and each account's side by side: a search reads these few pages instead of
-- all that lies between. Texts never change, so a row is written once, some time after its message.
create table message_texts (
  account_id uuid not null,
  created_at timestamptz not null,
  id uuid not null,
  text text not null
) partition by range (created_at);
create index message_texts_account on message_texts (account_id, created_at);

create table message_texts_progress (
  -- Every message made before this has its text in message_texts.
  done_until timestamptz not null
);
insert into message_texts_progress
select coalesce((select min(created_at) from messages), now() - interval '1 minute');

create or replace function messages_make_partition(p_day date) returns void language plpgsql as $$
declare
  month_start date := date_trunc('month', p_day);
  next_month date := month_start + interval '1 month';
  month_name text := to_char(month_start, 'YYYY_MM');
  parent text;
begin
  perform pg_advisory_xact_lock(hashtextextended('messages_make_partition', 0));
  foreach parent in array array['messages', 'message_texts'] loop
    if to_regclass(parent || '_' || month_name) is null then
      execute format('create table %I (like %I including defaults including constraints)',
        parent || '_' || month_name, parent);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent,
        parent || '_' || month_name, month_start::timestamp at time zone 'UTC',
        next_month::timestamp at time zone 'UTC');
      if parent = 'messages' then
        -- A claim takes all rows of a page at once and writes each anew: with room for them the indexes are left alone.
        execute format('alter table %I set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05,
          autovacuum_analyze_scale_factor = 0.05)', parent || '_' || month_name);
      end if;
    end if;
  end loop;
end $$;
-- The months that have messages, and those ahead.
select messages_make_partition(to_date(right(relname, 7), 'YYYY_MM'))
from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'messages'::regclass;
