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
  -- What its database knows it by while it is at work; a service that starts looks there for what another one left.
  backend text,
  -- Its end was told, and the database has not said that it is over: since this moment it runs.
  lingering_since timestamptz,
  -- On the program's own server it was ended by force, and everybody's statements there with it.
  killed_at timestamptz,
  created_at timestamptz not null default now()
);
create index queries_of_account on queries (account_id, created_at desc);
-- For those that look what is still at work, at a start and for the metric.
create index queries_running on queries (created_at) where outcome = 'running';
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

-- Who caused several ends by force has no turn for a while; an owner may give it back.
create table query_withheld_turns (
  -- Null: who asks with the service's key.
  account_id uuid unique nulls not distinct references accounts (id) on delete cascade,
  until timestamptz not null,
  -- Ends by force before that count no more.
  given_back_at timestamptz
);
