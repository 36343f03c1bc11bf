-- Prices in micro-dollars a unit: a segment of an SMS, a WhatsApp message, an email. The most precise row wins:
-- carrier before country before any ('').
create table prices (
  channel text not null check (channel in ('sms', 'whatsapp', 'email')),
  country text not null default '',
  carrier text not null default '',
  unit_micros bigint not null check (unit_micros >= 0),
  primary key (channel, country, carrier)
);
-- HK$0.25 a segment at 7.8 HKD a USD, to the nearest micro-dollar.
insert into prices (channel, unit_micros) values ('sms', 32051), ('whatsapp', 20000), ('email', 1000);

create table lanes (
  id int generated always as identity primary key,
  name text not null unique,
  channel text not null check (channel in ('sms', 'whatsapp', 'email')),
  provider text not null,
  -- Whose network it goes out by, for the price list; '' when none in particular.
  carrier text not null default '',
  simulated boolean not null,
  -- Whether the running settings still name it; a lane is never deleted, its messages refer to it.
  active boolean not null default true,
  -- Lower is preferred.
  preference int not null default 100,
  up boolean,
  state_reason text not null default '',
  state_at timestamptz
);

-- What was accepted and paid at once: a file, or the single calls of an account that one commit carried.
create table batches (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  channel text not null check (channel in ('sms', 'whatsapp', 'email')),
  kind text not null check (kind in ('API', 'CSV')),
  test boolean not null,
  -- The ledger's capture that paid for it; null when it cost nothing.
  capture_id bigint references ledger_entries (id),
  accepted int not null check (accepted > 0),
  total_micros bigint not null check (total_micros >= 0),
  -- The messages' own, to the microsecond: they are found by it.
  created_at timestamptz not null default now(),
  check ((capture_id is null) = (total_micros = 0))
);

-- What a repeated call is answered: the first answer. A refused call leaves no key.
create table idempotency_keys (
  account_id uuid not null references accounts (id) on delete cascade,
  key text not null,
  request_hash bytea not null,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

create table messages (
  -- Version 7: in the order of creation.
  id uuid not null,
  account_id uuid not null,
  batch_id uuid,
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
  -- Who has it in hand, since when; committed before it goes out.
  claimed_by uuid,
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
  primary key (id, created_at)
) partition by range (created_at);

-- An account's messages by time; a batch's are those of its account and moment.
create index messages_account on messages (account_id, created_at, id);

-- Makes the partition of a month (in UTC) unless it is there. Attaching, unlike creating in place, does not
-- stop those who write meanwhile.
create function messages_make_partition(p_day date) returns void language plpgsql as $$
declare
  month_start date := date_trunc('month', p_day);
  next_month date := month_start + interval '1 month';
  name text := 'messages_' || to_char(month_start, 'YYYY_MM');
begin
  perform pg_advisory_xact_lock(hashtextextended('messages_make_partition', 0));
  if to_regclass(name) is not null then
    return;
  end if;
  -- A claim takes all rows of a page at once and writes each anew: with room for them the indexes are left alone.
  execute format('create table %I (like messages including defaults including constraints)
    with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05)', name);
  execute format('alter table messages attach partition %I for values from (%L) to (%L)', name,
    month_start::timestamp at time zone 'UTC', next_month::timestamp at time zone 'UTC');
end $$;

-- This month's and so many ahead.
create function messages_make_partitions(p_ahead int) returns void language sql as $$
  select messages_make_partition(((now() at time zone 'UTC') + make_interval(months => ahead))::date)
  from generate_series(0, p_ahead) ahead;
$$;
select messages_make_partitions(3);
