-- Each run of the check that the cached balances equal the postings.
create table ledger_proofs (
  id bigint generated always as identity primary key,
  proven_at timestamptz not null default now(),
  wallets bigint not null,
  -- Wallets or holds that differ from their postings; anything but zero is an alarm.
  differences bigint not null,
  duration_ms int not null
);
