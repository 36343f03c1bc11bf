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
create index idempotency_keys_created on idempotency_keys (created_at);
