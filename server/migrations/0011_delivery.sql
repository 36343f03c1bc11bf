-- Who serves a lane. One at a time: a second connection to the same carrier is a second sender.
alter table lanes
  add column leased_by uuid,
  add column leased_until timestamptz;

-- Since when nobody knows whether it went out. It is still PENDING, it is never sent again, and a receipt may
-- yet tell; after some minutes it becomes FAILED_WITH_EXCEPTION.
alter table messages add column unknown_since timestamptz;

-- What waits, in the order in which it goes out: each lane's singles first, accounts in turns, oldest first. One
-- that was put back waits until its time without being in the way of the others. What is in hand is in it too:
-- a claim that changes nothing that any index knows is the cheapest write there is.
create index messages_waiting on messages
  (lane_id, priority, account_id, (coalesce(not_before, created_at)), id)
  where status = 'PENDING' and unknown_since is null;
-- The few whose outcome nobody knows.
create index messages_unknown on messages (lane_id, unknown_since) where unknown_since is not null;
-- Receipts come by the carrier's id.
create index messages_provider_message on messages (lane_id, provider_message_id)
  where provider_message_id is not null;
-- An answer from outside belongs to whoever wrote to that number last. Only what was sent is in it: a message's
-- row is written thrice on its way, but comes in here once.
create index messages_sent_to on messages (recipient, created_at) where type = 'outgoing' and sent_at is not null;

-- Receipts that found no message: they came before the carrier's answer was stored, or that answer was lost.
create table early_receipts (
  id bigint generated always as identity primary key,
  lane_id int not null references lanes (id),
  provider_message_id text not null,
  state text not null check (state in ('delivered', 'read', 'failed', 'enroute')),
  code text not null,
  at timestamptz not null,
  message_id uuid,
  recipient text,
  received_at timestamptz not null default now()
);
create index early_receipts_message on early_receipts (lane_id, provider_message_id);
create index early_receipts_received on early_receipts (received_at);

-- Answers from outside that belong to nobody here: counted, not kept.
create table unassigned_inbound (
  lane_id int not null references lanes (id),
  day date not null,
  count bigint not null,
  primary key (lane_id, day)
);
