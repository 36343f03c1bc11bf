-- Where an account's events go, and how that has been going. A copy of the account's setting, so that a flush of
-- messages joins a small table of those who want events, and nothing of it lies in the accounts' hot rows.
create table webhook_endpoints (
  account_id uuid primary key references accounts (id) on delete cascade,
  -- Empty: nothing is told.
  url text not null default '',
  secret_sealed bytea,
  -- The secret before, which signs too until then.
  previous_sealed bytea,
  previous_until timestamptz,
  -- Failed deliveries since the last one that was taken.
  failures int not null default 0,
  failing_since timestamptz,
  -- Nothing is sent before that: the receiver asked for it, or keeps failing.
  paused_until timestamptz,
  -- The customer was told by mail that it fails, once for each time that it begins to.
  told_at timestamptz,
  -- The receiver answered 410 Gone: it wants no more.
  gone_at timestamptz,
  -- The worker that serves it just now.
  leased_by uuid,
  leased_until timestamptz,
  -- More than one: events are sent as an array of up to this many.
  events_per_call int not null default 1 check (events_per_call between 1 and 500)
) with (fillfactor = 50);

-- Version 7 of RFC 9562, which PostgreSQL has only since 18: the first id of a moment, and a new one of the
-- transaction's. So ids lie in the order of creation, and a span of time is a span of ids.
create function webhook_first_event_id(p_at timestamptz) returns uuid language sql stable as $$
  select (lpad(to_hex(floor(extract(epoch from p_at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;
create function webhook_event_id() returns uuid language sql volatile as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send(floor(extract(epoch from now()) * 1000)::bigint) from 3) from 1 for 6),
    52, 1), 53, 1), 'hex')::uuid
$$;

-- As JavaScript writes a moment, whatever the session's zone.
create function webhook_time(p_at timestamptz) returns text language sql stable as $$
  select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

create table webhook_events (
  -- What the receiver sees as webhook-id, the same at every try.
  id uuid primary key default webhook_event_id(),
  -- Like the messages', without a reference: each would cost a look at the account's row.
  account_id uuid not null,
  type text not null,
  message_id uuid,
  -- As it was when it happened; json, not jsonb, keeps the order of its fields.
  data json not null,
  state text not null default 'WAITING' check (state in ('WAITING', 'RETRYING', 'DELIVERED', 'PARKED')),
  attempts int not null default 0,
  -- The next try; null when there is none.
  next_at timestamptz default now(),
  -- Its creation or its last replay: the two days of retries count from here.
  begun_at timestamptz not null default now(),
  attempted_at timestamptz,
  -- The last answer: its status, or why there was none.
  answer_status int,
  answer_fault text not null default '',
  answer_body text not null default '',
  answer_ms int,
  created_at timestamptz not null default now(),
  check ((next_at is not null) = (state in ('WAITING', 'RETRYING')))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create index webhook_events_account on webhook_events (account_id, id);
create index webhook_events_message on webhook_events (message_id) where message_id is not null;
-- What waits, each account's in the order of its time.
create index webhook_events_due on webhook_events (account_id, next_at, id) where next_at is not null;
create index webhook_events_parked on webhook_events (account_id, id) where state = 'PARKED';

-- Events of one kind that happened to an account's messages in one flush, up to a hundred in a row: each costs the
-- flush a hundredth of a row. An event gets a row of its own in webhook_events only when it differs from the others: it
-- failed, waits for an earlier event of its message, or is replayed alone. It then leaves its chunk.
create table webhook_chunks (
  -- Ends with four zeros in hexadecimal. The event at place n of message_ids has this id with n in their place.
  id uuid primary key,
  -- Without a reference: each would cost a look at the account's row.
  account_id uuid not null,
  -- What happened: the type without 'message.', or 'unknown' for a failure whose outcome is unknown.
  kind text not null check (kind in ('accepted', 'sent', 'delivered', 'read', 'failed', 'unknown', 'inbound')),
  -- The messages' keys; null where an event has left the chunk.
  message_ids uuid[] not null,
  message_times timestamptz[] not null,
  -- The events that are left.
  live int not null check (live > 0),
  -- The first and the last of message_times, less than an hour apart: so the chunks of a message are found by an index.
  first_at timestamptz not null,
  last_at timestamptz not null,
  state text not null default 'WAITING' check (state in ('WAITING', 'DELIVERED', 'PARKED')),
  attempts int not null default 0,
  next_at timestamptz default now(),
  -- Its creation or its last replay.
  begun_at timestamptz not null default now(),
  -- The last answer to one of its events.
  attempted_at timestamptz,
  answer_status int,
  answer_body text not null default '',
  answer_ms int,
  created_at timestamptz not null default now(),
  check ((next_at is not null) = (state = 'WAITING'))
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
-- A hundred keys are longer than what PostgreSQL keeps in the row by itself, and do not compress.
alter table webhook_chunks alter column message_ids set storage plain, alter column message_times set storage plain;
create index webhook_chunks_account on webhook_chunks (account_id, id);
create index webhook_chunks_message on webhook_chunks (account_id, first_at, last_at);
create index webhook_chunks_due on webhook_chunks (account_id, next_at, id) where next_at is not null;
create index webhook_chunks_parked on webhook_chunks (account_id, id) where state = 'PARKED';

-- A new chunk's id, of version 7 with the microsecond in it, of the moment itself and not of the transaction: what
-- happens to a message after a commit has a later id than what happened before. Chunks of one statement are numbered.
create function webhook_chunk_id(p_number int) returns uuid language sql volatile as $$
  select (lpad(to_hex(us / 1000), 12, '0') || '7' || lpad(to_hex(us % 1000 * 4096 / 1000), 3, '0') || '8'
    || substr(replace(gen_random_uuid()::text, '-', ''), 1, 11) || '0000')::uuid
  from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint + p_number as us) moment
$$;
-- The chunk that the event with this id is or was in, if any, and the id of the event at a place of a chunk.
create function webhook_chunk_of(p_event_id uuid) returns uuid language sql immutable as $$
  select encode(overlay(uuid_send(p_event_id) placing '\x0000'::bytea from 15 for 2), 'hex')::uuid
$$;
create function webhook_event_at(p_chunk_id uuid, p_place bigint) returns uuid language sql immutable as $$
  select encode(overlay(uuid_send(p_chunk_id) placing int2send(p_place::int2) from 15 for 2), 'hex')::uuid
$$;
create function webhook_type_of(p_kind text) returns text language sql immutable as $$
  select 'message.' || case p_kind when 'unknown' then 'failed' else p_kind end
$$;

-- Notifies the workers of new events, unless one serves the endpoint already, which looks for events by itself: a
-- commit with a notification waits for all others of that kind.
create function webhook_wake(p_account_id uuid) returns void language sql volatile as $$
  select pg_notify('posthorn_webhooks', 'event ' || p_account_id) from webhook_endpoints
  where account_id = p_account_id and gone_at is null and (paused_until is null or paused_until <= now())
    and (leased_by is null or leased_until < clock_timestamp())
$$;

-- Takes events out of their chunk, which goes when none is left.
create function webhook_leave_chunk(p_chunk_id uuid, p_places bigint[]) returns void language plpgsql as $$
begin
  delete from webhook_chunks c where id = p_chunk_id and not exists (
    select from unnest(c.message_ids) with ordinality as one (id, place)
    where one.id is not null and place <> all(p_places));
  if found then return; end if;
  update webhook_chunks c set (message_ids, live) = (
    select array_agg(case when place <> all(p_places) then one.id end order by place),
      count(one.id) filter (where place <> all(p_places))
    from unnest(c.message_ids) with ordinality as one (id, place))
  where id = p_chunk_id;
end $$;

-- Every event with its state, wherever it is. chunk_id is its own id if it is in none.
create view webhook_all_events as
  select id, id as chunk_id, account_id, type, message_id, state, attempts, created_at, begun_at, attempted_at, next_at,
    answer_status, answer_fault, answer_body, answer_ms
  from webhook_events
  union all
  select webhook_event_at(c.id, place), c.id, account_id, webhook_type_of(kind), one.id, state, attempts, created_at,
    begun_at, attempted_at, next_at, answer_status, '', answer_body, answer_ms
  from webhook_chunks c cross join lateral unnest(message_ids) with ordinality as one (id, place)
  where one.id is not null;
