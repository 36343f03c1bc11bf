-- Whom an account may send as: numbers and names that an admin gave it, addresses and domains that it has proven to be
-- its own. Several accounts may have the same one.
create table senders (
  id bigint generated always as identity primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  channel text not null check (channel in ('sms', 'whatsapp', 'email')),
  kind text not null check (kind in ('number', 'name', 'address', 'domain')),
  -- In the one spelling that is compared: +85261110000, a name letter by letter, a domain in small ASCII letters.
  sender text not null,
  -- An admin gave it; otherwise the account added it and has to prove it.
  given boolean not null,
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  -- Of an address that waits for its code: a keyed hash of the code, until when it is taken, and how often another one
  -- was typed.
  code_hash bytea,
  code_expires_at timestamptz,
  code_tries smallint not null default 0,
  unique (account_id, channel, kind, sender),
  check (case kind when 'name' then true when 'number' then channel <> 'email' else channel = 'email' end),
  check (not given or verified_at is not null)
);
-- Whose number an incoming message was sent to.
create index senders_sender on senders (channel, sender);
