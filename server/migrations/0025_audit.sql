-- What admins did and read: who, what, to which object, how it was before and after, and from where. Rows are only
-- added, and each carries the hash of the one before it, so that a change or a removal shows (server/office/audit).
create table audit_entries (
  -- Without gaps: given by the trigger.
  id bigint primary key,
  at timestamptz not null,
  -- Who. Without a foreign key: what somebody did stays when their account goes.
  admin_id uuid not null,
  -- A read, or a write in two entries: what was asked for, kept before it is done, and how it ended.
  event text not null check (event in ('read', 'asked', 'done', 'refused', 'failed')),
  -- As the contract names it: PUT /admin/lanes/:laneId.
  call text not null,
  -- Whose; null if it was asked for by something else, or was everybody's.
  account_id uuid,
  -- What the call named besides an account, such as the id of a message.
  subject text not null,
  -- Of an end: the entry of what was asked for.
  asked_id bigint,
  -- What was sent along, without secrets.
  asked jsonb,
  before jsonb,
  after jsonb,
  -- The network address that it came from.
  address text not null,
  previous_hash bytea not null,
  hash bytea not null,
  check ((event in ('done', 'refused', 'failed')) = (asked_id is not null))
);
create index audit_entries_at on audit_entries (at);
create index audit_entries_admin on audit_entries (admin_id, id);
create index audit_entries_account on audit_entries (account_id, id) where account_id is not null;
create index audit_entries_subject on audit_entries (subject, id) where subject <> '';
create unique index audit_entries_asked on audit_entries (asked_id) where asked_id is not null;

-- The last entry. It shows that the newest ones were removed, and lets entries be added one after another.
create table audit_head (
  one boolean primary key default true check (one),
  last_id bigint not null,
  hash bytea not null
);
insert into audit_head (last_id, hash) values (0, '');

-- What the hash of an entry is made of. Times as a number: their text depends on the connection.
create function audit_content(e audit_entries) returns text language sql stable as $$
  select jsonb_build_array(e.id, extract(epoch from e.at), e.admin_id, e.event, e.call, e.account_id, e.subject,
    e.asked_id, e.asked, e.before, e.after, e.address)::text
$$;

create function audit_chain() returns trigger language plpgsql as $$
declare
  head audit_head;
begin
  select * into strict head from audit_head for update;
  new.id := head.last_id + 1;
  new.at := clock_timestamp();
  new.previous_hash := head.hash;
  new.hash := sha256(head.hash || convert_to(audit_content(new), 'UTF8'));
  update audit_head set last_id = new.id, hash = new.hash;
  return new;
end $$;
create trigger chain before insert on audit_entries for each row execute function audit_chain();

-- The head moves only by the trigger above.
create function audit_refuse_change() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'audit_head' and tg_op = 'UPDATE' and pg_trigger_depth() > 1 then
    return null;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger append_only before update or delete or truncate on audit_entries
  for each statement execute function audit_refuse_change();
create trigger append_only before insert or update or delete or truncate on audit_head
  for each statement execute function audit_refuse_change();
-- Also for the program's own user, unless it is a superuser; the triggers hold for every one.
revoke update, delete, truncate on audit_entries from public, current_user;
