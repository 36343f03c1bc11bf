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
  simulated boolean not null,
  -- Whether the running settings still name it; a lane is never deleted, its messages refer to it.
  active boolean not null default true,
  -- Lower is preferred.
  preference int not null default 100,
  up boolean,
  state_reason text not null default '',
  state_at timestamptz
);

create table batches (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  channel text not null,
  kind text not null check (kind in ('API', 'CSV')),
  test boolean not null,
  -- The ledger's capture that paid for it; null when it cost nothing.
  capture_id bigint references ledger_entries (id),
  idempotency_key text,
  request_hash bytea,
  -- The first answer, given again to a repeat.
  answer jsonb,
  accepted int not null,
  total_micros bigint not null,
  created_at timestamptz not null default now()
);
create unique index batches_idempotency on batches (account_id, idempotency_key) where idempotency_key is not null;
create index batches_account on batches (account_id, created_at desc);

create table messages (
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
  -- Singles before batches; within one, in order of creation.
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
