-- How a batch stood when its messages were counted. Counting a million takes a second or so: lists show this instead.
create table batch_tallies (
  batch_id uuid primary key references batches (id) on delete cascade,
  counted_at timestamptz not null default now(),
  pending int not null,
  success int not null,
  failed int not null,
  unknown int not null,
  cancelled int not null,
  delivered int not null,
  -- What was not refunded.
  cost_micros bigint not null,
  -- At the pace of the minute before; null when too few ended in it to tell.
  seconds_left int
);

-- Failed messages that were sent again, so that nobody gets one twice.
create table resent_messages (
  message_id uuid primary key,
  resent_at timestamptz not null default now()
);
create index resent_messages_at on resent_messages (resent_at);
