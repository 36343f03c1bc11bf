create table payments (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references wallets (account_id),
  type text not null check (type in ('TOP_UP', 'AUTO_TOP_UP', 'REFUND', 'DISPUTE')),
  status text not null check (status in ('PENDING', 'SUCCESS', 'FAILED')),
  -- What the balance gets, or what a refund or dispute takes back.
  amount_micros bigint not null check (amount_micros > 0),
  -- What the card is charged: whole cents of the settlement currency of that moment.
  currency text not null check (currency in ('HKD', 'USD')),
  charge_minor bigint not null check (charge_minor > 0),
  card_id uuid not null references cards (id),
  -- The payment that a REFUND or DISPUTE concerns.
  of_payment uuid references payments (id),
  processor text not null,
  charge_ref text,
  -- For the card holder's authentication, while the provider waits for it.
  client_secret text,
  idempotency_key text,
  request_hash bytea,
  reason text not null default '',
  -- Of a top-up: what the provider has given back to the card in all, and what of it we could not recover.
  refunded_minor bigint not null default 0,
  disputed_minor bigint not null default 0,
  reversed_micros bigint not null default 0,
  lost_micros bigint not null default 0,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  -- When the provider was last asked how it stands.
  checked_at timestamptz,
  check ((type in ('REFUND', 'DISPUTE')) = (of_payment is not null)),
  check ((idempotency_key is null) = (request_hash is null)),
  check (reversed_micros between 0 and amount_micros),
  check (lost_micros between 0 and reversed_micros)
);
create unique index payments_idempotency_key on payments (account_id, idempotency_key)
  where idempotency_key is not null;
-- At most one automatic top-up in flight, however many spends and processes there are.
create unique index payments_one_auto_top_up on payments (account_id)
  where type = 'AUTO_TOP_UP' and status = 'PENDING';
create unique index payments_charge_ref on payments (processor, charge_ref)
  where charge_ref is not null and of_payment is null;
create unique index payments_one_dispute on payments (of_payment) where type = 'DISPUTE';
create index payments_account on payments (account_id, created_at, id);
create index payments_pending on payments (created_at) where status = 'PENDING';

-- What the provider told us, by its own event id: a repeat is known. Without processed_at it waits for
-- something that is to come first, such as a refund for the payment that it concerns.
create table processor_events (
  processor text not null,
  event_id text not null,
  event jsonb not null,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  primary key (processor, event_id)
);
create index processor_events_waiting on processor_events (received_at) where processed_at is null;
