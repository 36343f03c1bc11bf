create table wallets (
  account_id uuid primary key references accounts (id) on delete cascade,
  balance_micros bigint not null default 0 check (balance_micros >= 0),
  currency text not null default 'HKD' check (currency in ('HKD', 'USD')),
  auto_charge boolean not null default false,
  auto_charge_amount_micros bigint check (auto_charge_amount_micros > 0),
  card_id text,
  check (not auto_charge or (auto_charge_amount_micros is not null and card_id is not null))
);
