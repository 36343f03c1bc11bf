create table accounts (
  id uuid primary key default gen_random_uuid(),
  email text not null check (email = lower(email)),
  -- Null while two people with different passwords claim the email: only a link from a mail may set one then.
  password_hash text,
  admin boolean not null default false,
  -- What an admin may do; it means nothing for others.
  admin_role text not null default 'owner'
    check (admin_role in ('support', 'finance', 'operator', 'analyst', 'owner')),
  language text not null check (language in ('en_US', 'zh_HK')),
  time_zone text not null default 'Asia/Hong_Kong',
  receive_email boolean not null default true,
  webhook text not null default '',
  -- The secret is looked up by its hash and shown by decrypting it with SECRET_KEY.
  secret_hash bytea not null,
  secret_sealed bytea not null,
  activated_at timestamptz,
  created_at timestamptz not null default now(),
  -- What is sent with it goes through a simulator and costs nothing. Where it is null it is made when it is
  -- first shown.
  test_secret_hash bytea,
  test_secret_sealed bytea,
  -- An account that was closed is kept for a while, in which an operator may open it again; then its data goes by the
  -- rules of server/office/retention. The row itself stays for good: the ledger refers to it.
  closed_at timestamptz,
  -- Whose the payments were, for the books, once the email is free to be registered again.
  former_email text,
  -- When texts, numbers and names were taken away, and when the records that were kept for the books were.
  anonymised_at timestamptz,
  forgotten_at timestamptz,
  check (activated_at is null or password_hash is not null),
  check ((test_secret_hash is null) = (test_secret_sealed is null)),
  check (anonymised_at is null or closed_at is not null),
  check (forgotten_at is null or anonymised_at is not null)
);
create unique index accounts_email on accounts (email);
create unique index accounts_secret_hash on accounts (secret_hash);
create unique index accounts_test_secret_hash on accounts (test_secret_hash) where test_secret_hash is not null;
create index accounts_created on accounts (created_at, id);
create index accounts_closed on accounts (closed_at) where closed_at is not null;

create table sessions (
  token_hash bytea primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- When the password was last typed in this session: what is most secret is shown for a short while after it.
  confirmed_at timestamptz,
  -- The admin who sees the account as its owner does, and whether things can be changed.
  viewer_id uuid references accounts (id) on delete cascade,
  viewer_may_change boolean not null default false
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

-- Whom an admin has invited to register, where registration is by invitation.
create table invitations (
  id uuid primary key default gen_random_uuid(),
  email text not null check (email = lower(email)),
  language text not null check (language in ('en_US', 'zh_HK')),
  -- Of each mail that was sent for it.
  token_hashes bytea[] not null default '{}',
  invited_by uuid not null references accounts (id) on delete cascade,
  -- What they will be as an admin; null: a customer.
  admin_role text check (admin_role in ('support', 'finance', 'operator', 'analyst', 'owner')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create unique index invitations_email on invitations (email);

-- A secret that was replaced keeps working until it ends, so that programs can be changed one after another.
create table old_secrets (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  test boolean not null,
  secret_hash bytea not null,
  -- Its last characters, by which its owner knows it again.
  hint text not null,
  ends_at timestamptz not null
);
create unique index old_secrets_hash on old_secrets (secret_hash);
create index old_secrets_account on old_secrets (account_id);
create index old_secrets_ends on old_secrets (ends_at);
