-- A CSV file that was read: its counts, kept while it may be sent, and some time after.
create table uploads (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  -- What a repeat is known by: the caller's key, or the hash of the file and of what came with it.
  key text,
  request_hash bytea not null,
  channel text not null check (channel in ('sms', 'whatsapp', 'email')),
  -- Checked with the test secret: costs nothing.
  free boolean not null,
  test boolean not null,
  file_name text not null,
  header boolean not null default false,
  columns text[] not null default '{}',
  rows int not null default 0,
  accepted int not null default 0,
  refused int not null default 0,
  duplicates int not null default 0,
  reasons jsonb not null default '[]',
  sample_phone text,
  sample_message text,
  segments bigint not null default 0,
  price_micros bigint not null default 0 check (price_micros >= 0),
  expected_seconds int not null default 0,
  batch_id uuid references batches (id),
  -- The balance that sending left.
  balance_micros bigint,
  created_at timestamptz not null default now(),
  -- Of the refused rows, those whose recipient has opted out.
  opted_out int not null default 0,
  check ((batch_id is null) = (balance_micros is null))
);
create unique index uploads_key on uploads (account_id, key) where key is not null;
create index uploads_created on uploads (created_at);
create index uploads_unsent on uploads (account_id, created_at) where batch_id is null;

-- The valid rows of files that were not sent yet, at the price that was quoted.
create table upload_rows (
  upload_id uuid not null references uploads (id) on delete cascade,
  row int not null,
  recipient_raw text not null,
  recipient text not null,
  country text not null,
  sender text,
  message text not null,
  subject text,
  segments int not null,
  encoding text not null,
  unit_micros bigint not null,
  price_micros bigint not null,
  html text,
  -- The failed message that the row repeats.
  failed_id uuid,
  -- The caller's own reference of the message.
  identifier text,
  primary key (upload_id, row)
);

create table upload_refusals (
  upload_id uuid not null references uploads (id) on delete cascade,
  row int not null,
  col text not null,
  code text not null,
  params jsonb not null,
  -- As they were read, to be corrected.
  cells jsonb not null,
  -- Of all cells: how many rows fit into memory is known without reading them.
  characters int not null,
  primary key (upload_id, row)
);
