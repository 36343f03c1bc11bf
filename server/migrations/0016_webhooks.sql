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
  leased_until timestamptz
) with (fillfactor = 50);
insert into webhook_endpoints (account_id, url) select id, webhook from accounts where webhook <> '';

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
