-- A lane may have rules of its own: within how many hours of what a customer last wrote one may write freely to
-- them (null: always), and the WhatsApp Business Account that it belongs to ('': none).
alter table lanes
  add column session_hours int check (session_hours > 0),
  add column waba text not null default '';

-- What a message is besides its text: a template, an image, a file, what it quotes, what came with an incoming one.
-- One column that most messages leave empty: it then costs a bit of the row.
alter table messages add column content jsonb;

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

-- What came with incoming messages. The bytes are files in DATA_DIR/media, fetched by a task.
create table media (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  message_id uuid not null,
  lane_id int not null references lanes (id),
  -- How the provider calls it.
  provider_media_id text not null,
  kind text not null,
  mime_type text not null default '',
  file_name text not null default '',
  bytes bigint,
  state text not null default 'WAITING' check (state in ('WAITING', 'STORED', 'FAILED', 'REMOVED')),
  reason text not null default '',
  attempts smallint not null default 0,
  -- Not tried before then; whoever tries it moves it on first.
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index media_due on media (due_at) where state = 'WAITING';
create index media_message on media (message_id);
create index media_created on media (created_at) where state <> 'REMOVED';
