-- Calls made with a secret in the last 24 hours. A row holds many calls of one account, written together: one row
-- a call would cost a sender several percent of his pace. Twelve hours have a partition, and the oldest of the four
-- is emptied before its turn comes again, which costs nothing however many calls it held.
create table api_calls (
  slot smallint not null,
  account_id uuid not null,
  -- Begins with its time, so that the newest comes first.
  id uuid not null,
  -- Of the newest call in it.
  last_at timestamptz not null,
  succeeded int not null,
  refused int not null,
  failed int not null,
  -- Compressed JSON, oldest call first: server/customer/integration/call-pack.ts.
  calls bytea not null,
  primary key (slot, account_id, id)
) partition by list (slot);
create table api_calls_0 partition of api_calls for values in (0);
create table api_calls_1 partition of api_calls for values in (1);
create table api_calls_2 partition of api_calls for values in (2);
create table api_calls_3 partition of api_calls for values in (3);
-- It is compressed already.
alter table api_calls_0 alter column calls set storage external;
alter table api_calls_1 alter column calls set storage external;
alter table api_calls_2 alter column calls set storage external;
alter table api_calls_3 alter column calls set storage external;
