-- Every statement that was asked of the query tool, before it runs and once it has ended.
create table queries (
  id uuid primary key,
  -- Null: asked with the service's key by another program.
  account_id uuid references accounts (id),
  -- Of the audit log: the admin's call that asked it, which is kept before the statement gets here.
  entry_id bigint,
  zone_id int not null,
  database_name text not null,
  sql text not null,
  outcome text not null default 'running'
    check (outcome in ('running', 'done', 'refused', 'failed', 'cancelled', 'timed_out')),
  -- The refusal or the database's own words.
  message text not null default '',
  row_count int,
  elapsed_ms int,
  created_at timestamptz not null default now()
);
create index queries_of_account on queries (account_id, created_at desc);
create unique index queries_of_entry on queries (entry_id) where entry_id is not null;
create index queries_by_time on queries (created_at);

-- Statements that admins keep, for themselves or for all admins.
create table query_bookmarks (
  account_id uuid not null references accounts (id) on delete cascade,
  -- The time in milliseconds at which it was made, as text: the browser's own id.
  id text not null,
  query text not null,
  database_name text not null,
  zone_id int not null,
  shared boolean not null,
  -- Remembered, so that another browser's copy does not bring it back.
  deleted boolean not null default false,
  primary key (account_id, id)
);
create index query_bookmarks_shared on query_bookmarks (id) where shared;
