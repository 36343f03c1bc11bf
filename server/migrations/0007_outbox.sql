-- What was accepted and paid at once: a file, or the single calls of an account that one commit carried.
create table batches (
  id uuid primary key,
  -- Both without a foreign key: kept by the statement that makes a batch of what it was paid by, and by the wallet's
  -- guard_removal.
  account_id uuid not null,
  channel text not null check (channel in ('sms', 'whatsapp', 'email')),
  kind text not null check (kind in ('API', 'CSV')),
  test boolean not null,
  -- The ledger's capture that paid for it; null when it cost nothing.
  capture_id bigint,
  accepted int not null check (accepted > 0),
  total_micros bigint not null check (total_micros >= 0),
  -- The messages' own, to the microsecond: they are found by it.
  created_at timestamptz not null default now(),
  -- Contacts are made from a batch after it was accepted.
  contacts_made boolean not null default false,
  -- How far a large one has got: the id of a message.
  contacts_after uuid,
  scheduled_at timestamptz,
  cancelled_at timestamptz,
  -- Sent from the pages, and not by a customer's program.
  by_page boolean not null default false,
  -- The file that it was sent from; '' for single calls.
  file_name text not null default '',
  check ((capture_id is null) = (total_micros = 0))
);
create index batches_without_contacts on batches (created_at) where not contacts_made;
-- The list of files, an account's and everyone's: few next to the batches of single calls.
create index batches_files on batches (account_id, created_at, id) where kind = 'CSV';
create index batches_all_files on batches (created_at, id) where kind = 'CSV';

create table messages (
  -- Version 7: in the order of creation.
  id uuid not null,
  account_id uuid not null,
  batch_id uuid,
  -- Null before the time that it is scheduled for: what may not go out yet is in nobody's way.
  lane_id int,
  channel text not null,
  type text not null check (type in ('outgoing', 'incoming')),
  status text not null check (status in ('PENDING', 'SUCCESS', 'FAILED', 'FAILED_WITH_EXCEPTION', 'CANCELLED')),
  -- What was typed, and what it means: E.164 or an address.
  recipient_raw text not null,
  recipient text not null,
  country text not null default '',
  sender text,
  message text not null,
  subject text,
  html text,
  segment int not null default 0,
  price_micros bigint not null default 0,
  test boolean not null default false,
  -- Lower goes first: 0 for singles, 1 for files; within one, in order of creation.
  priority smallint not null default 0,
  claimed_at timestamptz,
  not_before timestamptz,
  attempts smallint not null default 0,
  provider_message_id text,
  reason text not null default '',
  error_code text not null default '',
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Since when nobody knows whether it went out. It is still PENDING, it is never sent again, and a receipt may
  -- yet tell; after some minutes it becomes FAILED_WITH_EXCEPTION.
  unknown_since timestamptz,
  -- What it is besides its text: a template, an image, a file, what it quotes, what came with an incoming one.
  -- One column that most messages leave empty: it then costs a bit of the row.
  content jsonb,
  -- Lanes that it has left; it never comes back to one.
  tried_lanes int[] not null default '{}',
  -- How often it was tried before it came to its lane.
  attempts_before smallint not null default 0,
  -- Why it changed lanes, oldest first: [{at, from, to, why, code}], lanes by their id. Null as long as it did not.
  route jsonb,
  scheduled_at timestamptz,
  -- When it is no longer worth sending: it is cancelled then.
  expires_at timestamptz,
  -- Each time a carrier put it off, oldest first: [{at, lane, code, reason, attempt, excused}], the last if neither the
  -- lane nor the message was at fault. Null for nearly all: it is written only by the statement that puts a message back.
  tries jsonb,
  -- Why it got its first lane; null while it has none.
  lane_why text,
  -- What the operator pays for it on its lane.
  cost_micros bigint not null default 0,
  -- The caller's own reference of it.
  identifier text,
  -- The other party's network as it was known when the message was made: by its number, otherwise by its
  -- lane: the carrier, or of a phone the first alias.
  carrier text,
  -- What is known of each part of one that its carrier takes in several, in their order: [{state, id, code, reason, at}],
  -- the id the carrier's. Null for all others, and as long as nothing is known of any part.
  parts jsonb,
  -- What its lane made of it, once an admin decided otherwise; null again once the carrier says more. Counters of what
  -- lanes sent go by it.
  decided_from text,
  primary key (id, created_at)
) partition by range (created_at);
-- An account's messages by time; a batch's are those of its account and moment.
create index messages_account on messages (account_id, created_at, id);
-- All accounts' messages by time, for admins.
create index messages_created on messages (created_at, id);
-- By the other party's number or address.
create index messages_party on messages
  ((case type when 'incoming' then sender else recipient end) text_pattern_ops, created_at);
create index messages_identifier on messages (identifier, account_id) where identifier is not null;
-- Messages for later, for the list of what waits for its time. No column of it changes with the outcome.
create index messages_scheduled on messages (scheduled_at) where scheduled_at is not null;
-- The few whose outcome nobody knows.
create index messages_unknown on messages (lane_id, unknown_since) where unknown_since is not null;
-- Which lanes, carriers, countries and statuses there are among some hundred neighbours, and when they were last changed:
-- whoever looks for what is rare, or for the latest updates, passes over the rest. They take a few bytes a row, and an
-- answer that changes the status still writes no other index. Before version 16 it would: there they are left out. The
-- first has the time in it because the planner takes the order of an index from the best of its columns.
do $$ begin
  if current_setting('server_version_num')::int >= 160000 then
    create index messages_rare on messages using brin (created_at,
        lane_id int4_bloom_ops (n_distinct_per_range = 200), carrier text_bloom_ops (n_distinct_per_range = 32),
        country text_bloom_ops (n_distinct_per_range = 64), status text_bloom_ops (n_distinct_per_range = 16))
      with (pages_per_range = 32);
    create index messages_updated on messages using brin (updated_at) with (pages_per_range = 32);
  end if;
end $$;

-- What waits, apart from the messages themselves, some hundred of an account and a moment in one row: to claim them
-- writes one row for many, and an answer changes nothing that an index of messages knows.
--
-- A message that is PENDING, and whose outcome is not unknown, is in one chunk or in one claim, never in both.
create table outbox_chunks (
  -- 0: none yet, as before the time that it is scheduled for.
  lane_id int not null,
  -- As in messages; 32767 stands for all in a search.
  priority smallint not null,
  account_id uuid not null,
  -- 'infinity': held, because the account is suspended.
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
create index outbox_chunks_singles on outbox_chunks (lane_id, due, id) where priority = 0;
create index outbox_chunks_scheduled on outbox_chunks (due) where lane_id = 0;
-- What is held. Of accounts that are not suspended, there is some only for a moment.
create index outbox_chunks_held on outbox_chunks (account_id) where due = 'infinity';
create index outbox_chunks_expiring on outbox_chunks (expires_at) where expires_at is not null;

-- What a worker has claimed to send, a row for each time it claimed some; committed before anything goes out.
create table claims (
  id bigint generated always as identity primary key,
  lane_id int not null,
  holder uuid not null,
  claimed_at timestamptz not null default now(),
  -- Each message's key, and how often it had been tried: one that was tried again since is no longer in this claim.
  ids uuid[] not null,
  created_ats timestamptz[] not null,
  attempts smallint[] not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
alter table claims alter column ids set storage external, alter column created_ats set storage external,
  alter column attempts set storage external;

-- A trigger puts new messages into chunks, so that no insert can forget to.
create function outbox_add() returns trigger language plpgsql as $$
begin
  insert into outbox_chunks (lane_id, priority, account_id, due, batch_id, created_at, expires_at, tried_lanes, ids)
  select lane_id, priority, account_id, due, batch_id, created_at, expires_at, '{}', ids[first : first + 99]
  from (
    select coalesce(lane_id, 0) as lane_id, priority, account_id, coalesce(not_before, scheduled_at, created_at) as due,
      batch_id, created_at, expires_at, array_agg(id order by id) as ids
    from after_rows where status = 'PENDING' and type = 'outgoing' and unknown_since is null
    group by 1, 2, 3, 4, 5, 6, 7
  ) waiting cross join generate_series(1, cardinality(ids), 100) as first;
  return null;
end $$;
create trigger outbox_add after insert on messages
  referencing new table as after_rows for each statement execute function outbox_add();

-- Puts messages that wait again into chunks, by what their rows say now. What a suspended account has waiting is held:
-- it is never due.
create function outbox_wait_again(p_ids uuid[], p_created_ats timestamptz[]) returns void language sql as $$
  insert into outbox_chunks (lane_id, priority, account_id, due, batch_id, created_at, expires_at, tried_lanes, ids)
  select lane_id, priority, account_id, due, batch_id, created_at, expires_at, tried_lanes, ids[first : first + 99]
  from (
    select coalesce(m.lane_id, 0) as lane_id, m.priority, m.account_id,
      case when exists (select from wallets w where w.account_id = m.account_id and w.suspended_at is not null)
        then 'infinity' else coalesce(m.not_before, m.scheduled_at, m.created_at) end as due,
      m.batch_id, m.created_at, m.expires_at,
      m.tried_lanes, array_agg(m.id order by m.id) as ids
    from unnest(p_ids, p_created_ats) as given (id, created_at)
    join messages m on m.id = given.id and m.created_at = given.created_at
    where m.status = 'PENDING' and m.type = 'outgoing' and m.unknown_since is null
    group by 1, 2, 3, 4, 5, 6, 7, 8
  ) waiting cross join generate_series(1, cardinality(ids), 100) as first;
$$;

-- Takes the first messages of a chunk that the caller has locked; an empty chunk is deleted. Returns whether the chunk
-- was there. One chunk a call, by its key: the planner may read the whole table for a join, because the table was
-- nearly empty when it made its plan.
create function outbox_take(
  p_lane_id int, p_priority smallint, p_account_id uuid, p_due timestamptz, p_id bigint, p_taken int
) returns boolean language plpgsql as $$
begin
  delete from outbox_chunks where lane_id = p_lane_id and priority = p_priority and account_id = p_account_id
    and due = p_due and id = p_id and cardinality(ids) <= p_taken;
  if not found then
    update outbox_chunks set ids = ids[p_taken + 1 :] where lane_id = p_lane_id and priority = p_priority
      and account_id = p_account_id and due = p_due and id = p_id;
  end if;
  return found;
end $$;

-- Receipts come by the carrier's id.
create table carrier_ids (
  lane_id int not null,
  provider_message_id text not null,
  created_at timestamptz not null,
  message_id uuid not null,
  -- Of a part of the message: each has an id of its own.
  of_part boolean
) partition by range (created_at);
create index carrier_ids_message on carrier_ids (lane_id, provider_message_id);

-- Receipts that found no message: they came before the carrier's answer was stored, or that answer was lost.
create table early_receipts (
  id bigint generated always as identity primary key,
  lane_id int not null references lanes (id),
  provider_message_id text not null,
  state text not null check (state in ('delivered', 'read', 'failed', 'enroute')),
  code text not null,
  at timestamptz not null,
  message_id uuid,
  recipient text,
  -- The carrier reports each part of a long message by itself: this may be the receipt of one.
  of_part boolean not null default false,
  -- The same id as the carrier may have written it in its answer.
  other_ids text[],
  received_at timestamptz not null default now()
);
create index early_receipts_message on early_receipts (lane_id, provider_message_id);
create index early_receipts_received on early_receipts (received_at);

-- Incoming messages that belong to no account: nobody had the number that they were sent to, or none of those who share
-- it had written to that person. An admin finds them here, for 60 days.
create table unassigned_inbound (
  id bigint generated always as identity primary key,
  lane_id int not null references lanes (id),
  channel text not null,
  provider_message_id text not null,
  -- Who wrote, and to which number of ours.
  sender text not null,
  recipient text not null,
  message text not null,
  content jsonb,
  sent_at timestamptz not null,
  received_at timestamptz not null default now()
);
create index unassigned_inbound_received on unassigned_inbound (received_at);

-- The ids of incoming messages, for as long as carriers repeat what they believe was not acknowledged. Its key is
-- what decides, also between two processes that are told the same at once.
create table inbound_ids (
  lane_id int not null references lanes (id),
  provider_message_id text not null,
  received_at timestamptz not null default now(),
  primary key (lane_id, provider_message_id)
);
create index inbound_ids_received on inbound_ids (received_at);

-- What a customer last wrote to an account, by lane: their session lasts from there for the lane's session_hours.
create table whatsapp_sessions (
  account_id uuid not null references accounts (id) on delete cascade,
  -- E.164.
  customer text not null,
  lane_id int not null references lanes (id),
  -- When the session that last_at lies in began.
  since timestamptz not null,
  last_at timestamptz not null,
  primary key (account_id, customer, lane_id)
);
create index whatsapp_sessions_last on whatsapp_sessions (last_at);

-- What carriers are asked about messages whose outcome is unknown: the worker that serves the lane asks.
create table carrier_questions (
  message_id uuid primary key,
  lane_id int not null references lanes (id),
  -- The admin.
  asked_by uuid not null,
  asked_at timestamptz not null default now(),
  -- When a worker took it; one that ended before the answer leaves it to the next.
  taken_at timestamptz,
  answered_at timestamptz,
  state text check (state in ('taken', 'failed', 'absent', 'unknown')),
  -- The carrier's words.
  said text not null default ''
);
create index carrier_questions_open on carrier_questions (lane_id) where answered_at is null;

-- What admins decided about messages. The messages themselves have only the last outcome.
create table resolutions (
  id bigint generated always as identity primary key,
  -- Without a foreign key, because messages are partitioned: retention removes these with the message's names.
  message_id uuid not null,
  resolved_at timestamptz not null default now(),
  was text not null,
  became text not null check (became in ('SUCCESS', 'FAILED')),
  -- The admin.
  resolved_by uuid not null,
  reason text not null,
  error_code text not null
);
create index resolutions_message on resolutions (message_id);
create index resolutions_at on resolutions (resolved_at);

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
  price_micros bigint not null,
  -- The device that they name; '': none.
  device text not null default ''
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
create index message_counts_account on message_counts (account_id, hour) include (channel, type, status, messages);

-- How many messages went or came by which lane, by the hour (UTC) in which they were made: reports, and searches by
-- lane or carrier, are sums of these. Rows are only added, as those of message_counts are, and folded by the same task.
create table lane_counts (
  hour timestamptz not null,
  -- 0: none yet, as before the time that a message is scheduled for.
  lane_id int not null,
  channel text not null,
  type text not null,
  status text not null,
  test boolean not null,
  country text not null,
  -- '' if unknown.
  carrier text not null,
  messages int not null,
  segments int not null,
  price_micros bigint not null,
  cost_micros bigint not null,
  -- Whether lane_sums has it.
  summed boolean not null default false,
  -- As in messages: what the lane made of those whose status an admin decided; null of all others.
  decided_from text
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
create index lane_counts_hour on lane_counts (hour, lane_id) include (carrier, messages);
-- An admin looks for one network in a week of hours.
create index lane_counts_carrier on lane_counts (carrier, hour) include (messages);
create index lane_counts_new on lane_counts (hour) where not summed;

-- The same by eight hours, without what came in: three rows for a day instead of 24. The task that folds the counters
-- adds them here; until then they are read besides. Midnight in Hong Kong is the end of such eight hours.
create table lane_sums (
  since timestamptz not null,
  lane_id int not null,
  channel text not null,
  status text not null,
  country text not null,
  carrier text not null,
  messages int not null,
  price_micros bigint not null,
  cost_micros bigint not null,
  primary key (since, lane_id, channel, status, country, carrier)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

-- How long messages that succeeded took, by the hour (UTC) in which they were made: each is counted by its lane, by its
-- country and by its carrier, one of which a row has. All in one row would be a row for nearly every message.
create table duration_counts (
  hour timestamptz not null,
  lane_id int,
  country text,
  carrier text,
  -- From its time to the carrier's acceptance: four to a doubling of milliseconds, see duration_bucket().
  bucket smallint not null,
  messages int not null,
  -- Whether duration_sums has it.
  summed boolean not null default false
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
-- One index for both, because an answer adds more of these rows than of any other: whoever looks for an hour names both.
create index duration_counts_hour on duration_counts (summed, hour);

-- The same by eight hours, as lane_sums.
create table duration_sums (
  since timestamptz not null,
  lane_id int,
  country text,
  carrier text,
  bucket smallint not null,
  messages int not null,
  unique nulls not distinct (since, lane_id, country, carrier, bucket)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

-- What lanes did in a minute, whenever the messages were made: the live chart of the last hour. What was sent stays sent,
-- whatever a carrier reports or an admin decides later. Rows are only added, folded by the same task, and removed after
-- some hours. Unlogged: a crash may take it.
create unlogged table traffic_counts (
  minute timestamptz not null,
  accepted int not null,
  sent int not null,
  failed int not null,
  received int not null
);
create index traffic_counts_minute on traffic_counts (minute);

create function duration_bucket(p_from timestamptz, p_until timestamptz) returns smallint language sql immutable as $$
  select floor(4 * ln(greatest(1, extract(epoch from p_until - p_from)::float8 * 1000)) / ln(2::float8))::smallint
$$;

-- The device that a message names as its sender; '': none.
create function message_device(p_sender text) returns text language sql immutable as $$
  select case when p_sender like 'wa-__-________' then p_sender else '' end
$$;

-- The one function that keeps message_counts, lane_counts, duration_counts and traffic_counts, whoever writes. A
-- statement that changes nothing of what is counted, such as a delivery receipt, is known by all rows having one status
-- and one lane, before and after; messages of devices are always counted, because they may move from one to another.
create function message_counts_add() returns trigger language plpgsql as $$
declare
  effect int := case tg_op when 'DELETE' then -1 else 1 end;
begin
  -- A query of its own for updates: they see other transition tables.
  if tg_op = 'UPDATE' then
    if (select case when min(status) = max(status) and min(coalesce(lane_id, 0)) = max(coalesce(lane_id, 0))
        and count(decided_from) = 0 then min(status) || min(coalesce(lane_id, 0)) end from before_rows) =
      (select case when min(status) = max(status) and min(coalesce(lane_id, 0)) = max(coalesce(lane_id, 0))
        and not coalesce(bool_or(message_device(sender) <> ''), false)
        then min(status) || min(coalesce(lane_id, 0)) end from after_rows) then
      return null;
    end if;
    with changed as (
      select 1 as sign, after_rows.* from after_rows union all select -1, before_rows.* from before_rows
    ), counted as (
      select sign, date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00') as hour, account_id, channel,
        type, status, test, country, price_micros / greatest(segment, 1) as unit_micros,
        coalesce(lane_id, 0) as lane_id, coalesce(carrier, '') as carrier, segment, price_micros, cost_micros,
        message_device(sender) as device, decided_from
      from changed
    ), sums as (
      select hour, account_id, channel, type, status, test, country, unit_micros, lane_id, carrier, decided_from,
        coalesce(device, '') as device, grouping(lane_id) = 0 as by_lane, sum(sign) as messages, sum(sign * segment) as segments,
        sum(sign * price_micros) as price_micros, sum(sign * cost_micros) as cost_micros
      from counted
      group by grouping sets ((hour, account_id, channel, type, status, test, country, unit_micros, device),
        (hour, channel, type, status, test, country, unit_micros),
        (hour, lane_id, channel, type, status, test, country, carrier, decided_from))
      having sum(sign) <> 0 or sum(sign * price_micros) <> 0 or sum(sign * cost_micros) <> 0
    ), by_lane as (
      insert into lane_counts
      select hour, lane_id, channel, type, status, test, country, carrier, messages, segments, price_micros,
        cost_micros, false, decided_from
      from sums where by_lane
    ), by_minute as (
      insert into traffic_counts
      select date_trunc('minute', now()), 0,
        greatest(0, sum(messages) filter (where made = 'SUCCESS')),
        greatest(0, sum(messages) filter (where made in ('FAILED', 'FAILED_WITH_EXCEPTION'))), 0
      from (select *, coalesce(decided_from, status) as made from sums where by_lane and type = 'outgoing') sums
      having count(*) > 0
    )
    insert into message_counts
    select hour, coalesce(account_id, '00000000-0000-0000-0000-000000000000'), channel, type, status, test, country,
      unit_micros, messages, segments, price_micros, device
    from sums where not by_lane and (messages <> 0 or price_micros <> 0);
    insert into duration_counts
    select hour, lane_id, country, carrier, bucket, sum(sign) from (
      select sign, date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00') as hour,
        coalesce(lane_id, 0) as lane_id, country, coalesce(carrier, '') as carrier,
        duration_bucket(coalesce(scheduled_at, created_at), sent_at) as bucket
      from (select 1 as sign, after_rows.* from after_rows union all select -1, before_rows.* from before_rows) changed
      where status = 'SUCCESS' and type = 'outgoing' and sent_at is not null
    ) timed
    group by grouping sets ((hour, lane_id, bucket), (hour, country, bucket), (hour, carrier, bucket))
    having sum(sign) <> 0;
  else
    with counted as (
      select date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00') as hour, account_id, channel,
        type, status, test, country, price_micros / greatest(segment, 1) as unit_micros,
        coalesce(lane_id, 0) as lane_id, coalesce(carrier, '') as carrier, segment, price_micros, cost_micros,
        message_device(sender) as device, decided_from
      from changed_rows
    ), sums as (
      select hour, account_id, channel, type, status, test, country, unit_micros, lane_id, carrier, decided_from,
        coalesce(device, '') as device, grouping(lane_id) = 0 as by_lane, effect * count(*) as messages, effect * sum(segment) as segments,
        effect * sum(price_micros) as price_micros, effect * sum(cost_micros) as cost_micros
      from counted
      group by grouping sets ((hour, account_id, channel, type, status, test, country, unit_micros, device),
        (hour, channel, type, status, test, country, unit_micros),
        (hour, lane_id, channel, type, status, test, country, carrier, decided_from))
    ), by_lane as (
      insert into lane_counts
      select hour, lane_id, channel, type, status, test, country, carrier, messages, segments, price_micros,
        cost_micros, false, decided_from
      from sums where by_lane
    ), by_minute as (
      -- What is stored late, as the demo's messages are, did not happen now.
      insert into traffic_counts
      select date_trunc('minute', now()), coalesce(sum(messages) filter (where type = 'outgoing'), 0), 0, 0,
        coalesce(sum(messages) filter (where type = 'incoming'), 0)
      from sums where by_lane and tg_op = 'INSERT' and hour > now() - interval '1 hour' having count(*) > 0
    )
    insert into message_counts
    select hour, coalesce(account_id, '00000000-0000-0000-0000-000000000000'), channel, type, status, test, country,
      unit_micros, messages, segments, price_micros, device
    from sums where not by_lane;
    insert into duration_counts
    select hour, lane_id, country, carrier, bucket, effect * count(*) from (
      select date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00') as hour, coalesce(lane_id, 0) as lane_id,
        country, coalesce(carrier, '') as carrier,
        duration_bucket(coalesce(scheduled_at, created_at), sent_at) as bucket
      from changed_rows where status = 'SUCCESS' and type = 'outgoing' and sent_at is not null
    ) timed
    group by grouping sets ((hour, lane_id, bucket), (hour, country, bucket), (hour, carrier, bucket));
  end if;
  return null;
end $$;
create trigger message_counts_insert after insert on messages
  referencing new table as changed_rows for each statement execute function message_counts_add();
create trigger message_counts_update after update on messages
  referencing old table as before_rows new table as after_rows
  for each statement execute function message_counts_add();
-- Counters tell how many messages there were: what retention removes, it removes without counting it away.
create trigger message_counts_delete after delete on messages
  referencing old table as changed_rows for each statement
  when (current_setting('posthorn.retention', true) is distinct from 'on')
  execute function message_counts_add();

-- How many messages were delivered, by the hour (UTC) in which they were made. Rows are only added, as those of
-- message_counts are, and folded by the same task. Messages that the test secret sent are not counted.
create table delivery_counts (
  hour timestamptz not null,
  account_id uuid not null,
  messages int not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
create index delivery_counts_account on delivery_counts (account_id, hour) include (messages);

-- A delivery is never taken back: a statement that makes none is known by as many being delivered as before.
create function delivery_counts_add() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into delivery_counts
    select date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00'), account_id, count(*) from after_rows
    where delivered_at is not null and type = 'outgoing' and not (test and price_micros = 0) group by 1, 2;
    return null;
  end if;
  if (select count(delivered_at) from before_rows) = (select count(delivered_at) from after_rows) then
    return null;
  end if;
  insert into delivery_counts
  select date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00'), account_id, sum(sign)
  from (
    select 1 as sign, account_id, created_at from after_rows
    where delivered_at is not null and type = 'outgoing' and not (test and price_micros = 0)
    union all
    select -1, account_id, created_at from before_rows
    where delivered_at is not null and type = 'outgoing' and not (test and price_micros = 0)
  ) delivered
  group by 1, 2 having sum(sign) <> 0;
  return null;
end $$;
create trigger delivery_counts_insert after insert on messages
  referencing new table as after_rows for each statement execute function delivery_counts_add();
create trigger delivery_counts_update after update on messages
  referencing old table as before_rows new table as after_rows
  for each statement execute function delivery_counts_add();

-- Puts the counters' triggers on a month's table, so that statements which write to it are counted too.
create function messages_count_partition(p_table text) returns void language plpgsql as $$
declare
  counter text;
begin
  foreach counter in array array['message_counts', 'delivery_counts'] loop
    execute format('create trigger %I after update on %I referencing old table as before_rows new table as after_rows
      for each statement execute function %I()', counter || '_update', p_table, counter || '_add');
  end loop;
end $$;

-- Makes the partitions of a month (in UTC) unless they are there. Attaching, unlike creating in place, does not stop
-- those who write meanwhile.
create function messages_make_partition(p_day date) returns void language plpgsql as $$
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

-- Adds what was stored since the last time to the indexes messages_rare and messages_updated, which know new rows only
-- then: until that, a search reads all of them. A vacuum does it too; one that runs just now is not disturbed.
create function messages_summarize() returns void language plpgsql as $$
declare
  month_table regclass;
  month_index regclass;
begin
  for month_table in
    select distinct to_regclass('messages_' || to_char(at at time zone 'UTC', 'YYYY_MM'))
    from unnest(array[now(), now() - interval '1 day']) as at
  loop
    continue when month_table is null;
    begin
      execute format('lock table %s in share update exclusive mode nowait', month_table);
      for month_index in
        select i.inhrelid::regclass from pg_inherits i join pg_index x on x.indexrelid = i.inhrelid
        where i.inhparent in (to_regclass('messages_rare'), to_regclass('messages_updated')) and x.indrelid = month_table
      loop
        perform brin_summarize_new_values(month_index);
      end loop;
    exception when lock_not_available then
      null;
    end;
  end loop;
end $$;

-- This month's and so many ahead.
create function messages_make_partitions(p_ahead int) returns void language sql as $$
  select messages_make_partition(((now() at time zone 'UTC') + make_interval(months => ahead))::date)
  from generate_series(0, p_ahead) ahead;
$$;
select messages_make_partitions(3);
