-- A message for later is in no lane until its time: what may not go out yet is in nobody's way.
alter table messages
  add column scheduled_at timestamptz,
  -- When it is no longer worth sending: it is cancelled then.
  add column expires_at timestamptz;
alter table batches
  add column scheduled_at timestamptz,
  add column cancelled_at timestamptz;

create index messages_scheduled on messages (scheduled_at, id) where status = 'PENDING' and lane_id is null;
create index messages_expiring on messages (expires_at) where status = 'PENDING' and expires_at is not null;
