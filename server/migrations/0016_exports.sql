-- Who takes a copy of an account's data just now: one at a time, until the lease ends.
create table account_exports (
  account_id uuid primary key references accounts (id) on delete cascade,
  export_id uuid not null,
  begun_at timestamptz not null,
  leased_until timestamptz not null
);
