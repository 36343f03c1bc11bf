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

-- One decision about many messages: what is to be done, and how far it has got.
create table bulk_actions (
  id bigint generated always as identity primary key,
  action text not null check (action in ('SUCCESS', 'FAILED', 'TRANSFER')),
  -- The admin.
  asked_by uuid not null,
  -- {reason, errorCode} of a failure; {phoneName} or {laneId} of a transfer to one.
  options jsonb not null,
  -- {messages}: the filters of a search, or {inDoubt}; null for messages that were named.
  search jsonb,
  state text not null check (state in ('GATHERING', 'RUNNING', 'DONE', 'STOPPED')),
  -- Of its messages: how many there are, and how many were changed, were so already, or were refused.
  total int not null default 0,
  changed int not null default 0,
  unchanged int not null default 0,
  refused int not null default 0,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create index bulk_actions_created on bulk_actions (created_at);

create table bulk_action_items (
  action_id bigint not null references bulk_actions (id) on delete cascade,
  place int not null,
  message_id uuid not null,
  -- Null until it was its turn.
  outcome text check (outcome in ('changed', 'unchanged', 'refused')),
  -- Of a refusal: {label, values} of a text, which is read in any language.
  reason jsonb,
  primary key (action_id, place)
);
create unique index bulk_action_items_message on bulk_action_items (action_id, message_id);
create index bulk_action_items_open on bulk_action_items (action_id, place) where outcome is null;
create index bulk_action_items_refused on bulk_action_items (action_id, place) where outcome = 'refused';

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

-- What opens the pages of the job queue, by their hashes: a ticket works once, within a minute, and becomes a cookie.
create table job_passes (
  hash bytea primary key,
  kind text not null check (kind in ('ticket', 'cookie')),
  -- Of the admin's session, which it does not outlive.
  session_hash bytea not null,
  expires_at timestamptz not null
);
create index job_passes_expiry on job_passes (expires_at);
