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
