-- The provider's name for an account as its customer.
create table card_customers (
  account_id uuid not null references accounts (id) on delete cascade,
  processor text not null,
  customer_ref text not null,
  primary key (account_id, processor)
);

-- Never more of a card than its last four digits. A removed one stays for the payments made with it.
create table cards (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  processor text not null,
  customer_ref text not null,
  method_ref text not null,
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  brand text not null,
  exp_month int not null,
  exp_year int not null,
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  check (not is_default or removed_at is null)
);
create unique index cards_default on cards (account_id, processor) where is_default;
create unique index cards_method on cards (processor, method_ref) where removed_at is null;
create index cards_account on cards (account_id, created_at);

alter table wallets
  alter column card_id type uuid using card_id::uuid,
  add foreign key (card_id) references cards (id);
