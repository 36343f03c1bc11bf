-- The file that a batch was sent from; '' for single calls.
alter table batches add column file_name text not null default '';
update batches b set file_name = u.file_name from uploads u where u.batch_id = b.id;

-- The list of files, an account's and everyone's: few next to the batches of single calls.
create index batches_files on batches (account_id, created_at, id) where kind = 'CSV';
create index batches_all_files on batches (created_at, id) where kind = 'CSV';

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

-- Messages for later, for the list of what waits for its time. No column of it changes with the outcome.
create index messages_scheduled on messages (scheduled_at) where scheduled_at is not null;

-- The failed message that a row repeats.
alter table upload_rows add column failed_id uuid;
