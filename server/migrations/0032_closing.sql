-- An account that was closed is kept for a while, in which an operator may open it again; then its data goes by the
-- rules of server/retention. The row itself stays for good: the ledger refers to it.
alter table accounts
  add column closed_at timestamptz,
  -- Whose the payments were, for the books, once the email is free to be registered again.
  add column former_email text,
  -- When texts, numbers and names were taken away, and when the records that were kept for the books were.
  add column anonymised_at timestamptz,
  add column forgotten_at timestamptz,
  add check (anonymised_at is null or closed_at is not null),
  add check (forgotten_at is null or anonymised_at is not null);
create index accounts_closed on accounts (closed_at) where closed_at is not null;

-- Who takes a copy of an account's data just now: one at a time, until the lease ends.
create table account_exports (
  account_id uuid primary key references accounts (id) on delete cascade,
  export_id uuid not null,
  begun_at timestamptz not null,
  leased_until timestamptz not null
);
