-- What waits, apart from the messages themselves, some hundred of an account and a moment in one row: to take them in
-- hand writes one row for many, and an answer changes nothing that an index of messages knows.
--
-- A message that is PENDING, and whose outcome is not unknown, is in one lot or in one hand, never in both.
create table lots (
  -- 0: none yet, as before the time that it is scheduled for.
  lane_id int not null,
  priority smallint not null,
  account_id uuid not null,
  due timestamptz not null,
  id bigint generated always as identity,
  batch_id uuid,
  -- Of its messages, all of the same moment.
  created_at timestamptz not null,
  expires_at timestamptz,
  -- Lanes that its messages have left.
  tried_lanes int[] not null,
  -- In the order in which they go out.
  ids uuid[] not null,
  -- In the order in which they go out: each lane's singles first, accounts in turns, oldest first.
  primary key (lane_id, priority, account_id, due, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
-- As long as few singles wait nobody has to take turns.
create index lots_singles on lots (lane_id, due, id) where priority = 0;
create index lots_scheduled on lots (due) where lane_id = 0;
create index lots_expiring on lots (expires_at) where expires_at is not null;

-- What a worker has taken to send, a row for each time it took some; committed before anything goes out.
create table hands (
  id bigint generated always as identity primary key,
  lane_id int not null,
  holder uuid not null,
  claimed_at timestamptz not null default now(),
  -- Each message's key, and how often it had been tried: one that was tried again since is no longer in this hand.
  ids uuid[] not null,
  created_ats timestamptz[] not null,
  attempts smallint[] not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
alter table hands alter column ids set storage external, alter column created_ats set storage external,
  alter column attempts set storage external;

-- New messages wait by themselves: nobody who adds some can forget it.
create function lots_add() returns trigger language plpgsql as $$
begin
  insert into lots (lane_id, priority, account_id, due, batch_id, created_at, expires_at, tried_lanes, ids)
  select lane_id, priority, account_id, due, batch_id, created_at, expires_at, '{}', ids[first : first + 99]
  from (
    select coalesce(lane_id, 0) as lane_id, priority, account_id, coalesce(not_before, scheduled_at, created_at) as due,
      batch_id, created_at, expires_at, array_agg(id order by id) as ids
    from after_rows where status = 'PENDING' and type = 'outgoing' and unknown_since is null
    group by 1, 2, 3, 4, 5, 6, 7
  ) waiting cross join generate_series(1, cardinality(ids), 100) as first;
  return null;
end $$;
create trigger lots_add after insert on messages
  referencing new table as after_rows for each statement execute function lots_add();

-- The same for messages that wait again.
create function lots_wait_again(p_ids uuid[], p_created_ats timestamptz[]) returns void language sql as $$
  insert into lots (lane_id, priority, account_id, due, batch_id, created_at, expires_at, tried_lanes, ids)
  select lane_id, priority, account_id, due, batch_id, created_at, expires_at, tried_lanes, ids[first : first + 99]
  from (
    select coalesce(m.lane_id, 0) as lane_id, m.priority, m.account_id,
      coalesce(m.not_before, m.scheduled_at, m.created_at) as due, m.batch_id, m.created_at, m.expires_at,
      m.tried_lanes, array_agg(m.id order by m.id) as ids
    from unnest(p_ids, p_created_ats) as given (id, created_at)
    join messages m on m.id = given.id and m.created_at = given.created_at
    where m.status = 'PENDING' and m.type = 'outgoing' and m.unknown_since is null
    group by 1, 2, 3, 4, 5, 6, 7, 8
  ) waiting cross join generate_series(1, cardinality(ids), 100) as first;
$$;

-- What a worker of an older version had in hand: nobody knows whether it went out.
update messages set unknown_since = now(), reason = 'The worker ended before the carrier answered.'
where status = 'PENDING' and claimed_by is not null and unknown_since is null;
select lots_wait_again(array_agg(id), array_agg(created_at)) from messages
where status = 'PENDING' and type = 'outgoing' and unknown_since is null group by account_id, created_at;

-- Receipts come by the carrier's id.
create table carrier_ids (
  lane_id int not null,
  provider_message_id text not null,
  created_at timestamptz not null,
  message_id uuid not null
) partition by range (created_at);

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
      end if;
    end if;
  end loop;
end $$;
select messages_make_partition(to_date(right(relname, 7), 'YYYY_MM'))
from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'messages'::regclass;
-- Older ones are no longer asked for.
insert into carrier_ids select lane_id, provider_message_id, created_at, id from messages
where provider_message_id is not null and lane_id is not null and created_at > now() - interval '60 days';
create index carrier_ids_message on carrier_ids (lane_id, provider_message_id);

drop index messages_waiting, messages_scheduled, messages_expiring, messages_provider_message, messages_party;
-- By the other party's number or address.
create index messages_party on messages
  ((case type when 'incoming' then sender else recipient end) text_pattern_ops, created_at);
alter table messages drop column claimed_by;
