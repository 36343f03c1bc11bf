-- What a repeated call is answered: the first answer, stored together with the key when the call is accepted. A refused
-- call leaves no key. Whoever stores it has checked its account, and a foreign key would cost as much as the call.
create table idempotency_keys (
  account_id uuid not null,
  key text not null,
  request_hash bytea not null,
  -- JSON as a text: nobody looks into it, and to read and write jsonb would cost a tenth of accepting a message.
  answer text not null,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);
-- Countries that an account has written to for real, and when it first did: how many are new in a day is limited.
create table sent_countries (
  account_id uuid not null references accounts (id) on delete cascade,
  country text not null,
  first_at timestamptz not null default now(),
  primary key (account_id, country)
);

create index idempotency_keys_created on idempotency_keys (created_at);
