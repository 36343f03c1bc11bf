create table accounts (
  id uuid primary key default gen_random_uuid(),
  email text not null check (email = lower(email)),
  -- Null while two people with different passwords claim the email: only a link from a mail may set one then.
  password_hash text,
  admin boolean not null default false,
  language text not null check (language in ('en_US', 'zh_HK')),
  time_zone text not null default 'Asia/Hong_Kong',
  receive_email boolean not null default true,
  webhook text not null default '',
  -- The secret is looked up by its hash and shown by decrypting it with SECRET_KEY.
  secret_hash bytea not null,
  secret_sealed bytea not null,
  activated_at timestamptz,
  created_at timestamptz not null default now(),
  check (activated_at is null or password_hash is not null)
);
create unique index accounts_email on accounts (email);
create unique index accounts_secret_hash on accounts (secret_hash);

create table sessions (
  token_hash bytea primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_account on sessions (account_id);
create index sessions_expires on sessions (expires_at);

-- Tokens sent by mail. A used one is deleted, so that it serves once even when two requests race.
create table mail_tokens (
  token_hash bytea primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  purpose text not null check (purpose in ('activate', 'reset')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index mail_tokens_account on mail_tokens (account_id);
create index mail_tokens_expires on mail_tokens (expires_at);
