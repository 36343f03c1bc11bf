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
