-- Who no longer wants messages of an account by a channel. Looked up for every message before it is charged.
create table opt_outs (
  account_id uuid not null references accounts (id) on delete cascade,
  channel text not null check (channel in ('sms', 'whatsapp', 'email')),
  -- E.164, or an address in small letters: people write their own in any way.
  recipient text not null,
  id bigint generated always as identity unique,
  since timestamptz not null default now(),
  source text not null check (source in ('REPLY', 'LINK', 'IMPORT', 'MANUAL')),
  note text not null default '',
  primary key (account_id, channel, recipient)
);
-- The list, newest first.
create index opt_outs_list on opt_outs (account_id, id);
