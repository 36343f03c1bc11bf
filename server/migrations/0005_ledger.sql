-- Double entry in micro-dollars. Nothing here is ever changed or removed: a mistake is mended by another entry.

alter table wallets
  add column held_micros bigint not null default 0 check (held_micros >= 0),
  add column auto_charge_threshold_micros bigint not null default 5000000
    check (auto_charge_threshold_micros > 0),
  -- Null: the default, which follows the amount.
  add column auto_charge_daily_cap_micros bigint check (auto_charge_daily_cap_micros > 0),
  -- A spend, or turning it on, has found the balance below the threshold, and it has not risen since.
  add column auto_charge_wanted boolean not null default false,
  -- Since when an automatic top-up is asked for or under way; null while there is none.
  add column auto_charge_asked_at timestamptz,
  -- Not before, after a decline or a full day.
  add column auto_charge_next_at timestamptz,
  add column auto_charge_declines int not null default 0,
  -- Why it turned itself off; empty while it has not.
  add column auto_charge_stopped text not null default '',
  -- Set when the low balance was told, until money is added again.
  add column low_balance_told boolean not null default false;
create index wallets_auto_charge_asked on wallets (auto_charge_asked_at)
  where auto_charge_asked_at is not null;
create index wallets_auto_charge_wanted on wallets (auto_charge_next_at)
  where auto_charge_wanted and auto_charge_asked_at is null;

create table ledger_entries (
  id bigint generated always as identity primary key,
  -- Without cascade: an account whose money moved can't be deleted.
  account_id uuid not null references wallets (account_id),
  kind text not null
    check (kind in ('TOP_UP', 'HOLD', 'CAPTURE', 'RELEASE', 'REFUND', 'ADJUSTMENT', 'REVERSAL')),
  -- The idempotency key: what caused it, such as a payment or a batch.
  cause text not null check (cause <> ''),
  request_hash bytea not null,
  -- What the available and the held balance gained.
  available_micros bigint not null,
  held_micros bigint not null,
  -- The available balance after it.
  balance_micros bigint not null check (balance_micros >= 0),
  -- The HOLD that a CAPTURE or RELEASE ends, the CAPTURE that a REFUND gives back.
  of_entry bigint references ledger_entries (id),
  details jsonb not null default '{}',
  -- Of the moment when the wallet was locked: in the order of the ids within an account.
  created_at timestamptz not null default clock_timestamp()
);
create unique index ledger_entries_cause on ledger_entries (account_id, kind, cause);
create index ledger_entries_account on ledger_entries (account_id, created_at, id);
create index ledger_entries_of_entry on ledger_entries (of_entry) where of_entry is not null;

create table ledger_postings (
  entry_id bigint not null references ledger_entries (id),
  -- AVAILABLE and HELD are the customer's; the others are ours.
  ledger text not null
    check (ledger in ('AVAILABLE', 'HELD', 'CARDS', 'REVENUE', 'ADJUSTMENTS', 'LOSSES')),
  account_id uuid not null,
  amount_micros bigint not null check (amount_micros <> 0),
  primary key (entry_id, ledger)
);

-- How much of a hold is still held. It follows the postings to HELD, as the balance does.
create table ledger_holds (
  entry_id bigint primary key references ledger_entries (id),
  account_id uuid not null,
  amount_micros bigint not null check (amount_micros > 0),
  captured_micros bigint not null default 0 check (captured_micros >= 0),
  released_micros bigint not null default 0 check (released_micros >= 0),
  check (captured_micros + released_micros <= amount_micros)
);

-- What was refunded, such as a message: once each.
create table ledger_refunds (
  account_id uuid not null,
  item text not null,
  entry_id bigint not null references ledger_entries (id),
  amount_micros bigint not null check (amount_micros > 0),
  primary key (account_id, item)
);

create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger append_only before update or delete or truncate on ledger_entries
  for each statement execute function ledger_refuse_change();
create trigger append_only before update or delete or truncate on ledger_postings
  for each statement execute function ledger_refuse_change();
create trigger append_only before update or delete or truncate on ledger_refunds
  for each statement execute function ledger_refuse_change();

-- The balance follows the postings by itself: whoever adds postings moves it, and nobody else can.
create function ledger_apply_postings() returns trigger language plpgsql as $$
begin
  if exists (select from added group by entry_id having sum(amount_micros) <> 0) then
    raise exception 'the postings of an entry must sum to zero' using errcode = 'check_violation';
  end if;
  if exists (select from added join ledger_entries e on e.id = added.entry_id
             where e.account_id <> added.account_id) then
    raise exception 'a posting must belong to the account of its entry' using errcode = 'check_violation';
  end if;
  update wallets w
  set balance_micros = w.balance_micros + moved.available, held_micros = w.held_micros + moved.held
  from (
    select account_id,
      coalesce(sum(amount_micros) filter (where ledger = 'AVAILABLE'), 0)::bigint as available,
      coalesce(sum(amount_micros) filter (where ledger = 'HELD'), 0)::bigint as held
    from added group by account_id
  ) moved
  where w.account_id = moved.account_id and (moved.available <> 0 or moved.held <> 0);
  -- Most entries hold nothing.
  if exists (select from added where ledger = 'HELD') then
    insert into ledger_holds (entry_id, account_id, amount_micros)
    select e.id, e.account_id, added.amount_micros
    from added join ledger_entries e on e.id = added.entry_id
    where added.ledger = 'HELD' and e.kind = 'HOLD';
    update ledger_holds h
    set captured_micros = h.captured_micros + moved.captured,
      released_micros = h.released_micros + moved.released
    from (
      select e.of_entry, e.account_id,
        coalesce(-sum(added.amount_micros) filter (where e.kind = 'CAPTURE'), 0)::bigint as captured,
        coalesce(-sum(added.amount_micros) filter (where e.kind = 'RELEASE'), 0)::bigint as released
      from added join ledger_entries e on e.id = added.entry_id
      where added.ledger = 'HELD' and e.kind in ('CAPTURE', 'RELEASE')
      group by e.of_entry, e.account_id
    ) moved
    where h.entry_id = moved.of_entry and h.account_id = moved.account_id;
    if exists (
      select from added join ledger_entries e on e.id = added.entry_id
      left join ledger_holds h on h.entry_id = e.of_entry and h.account_id = e.account_id
      where added.ledger = 'HELD' and e.kind <> 'HOLD'
        and (e.kind not in ('CAPTURE', 'RELEASE') or h.entry_id is null)
    ) then
      raise exception 'held money moves only by its hold' using errcode = 'check_violation';
    end if;
  end if;
  return null;
end $$;
create trigger apply_postings after insert on ledger_postings
  referencing new table as added for each statement execute function ledger_apply_postings();

create function wallets_guard_balance() returns trigger language plpgsql as $$
begin
  -- Depth 1 is a plain statement; depth 2 is the one above.
  if pg_trigger_depth() < 2 then
    raise exception 'a balance changes only by postings' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger guard_balance before update of balance_micros, held_micros on wallets for each row
  when (old.balance_micros <> new.balance_micros or old.held_micros <> new.held_micros)
  execute function wallets_guard_balance();
create trigger guard_opening before insert on wallets for each row
  when (new.balance_micros <> 0 or new.held_micros <> 0) execute function wallets_guard_balance();

create function ledger_guard_holds() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'a hold changes only by postings' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger guard_holds before insert or update or delete or truncate on ledger_holds
  for each statement execute function ledger_guard_holds();

create type ledger_outcome as (
  -- posted; repeated: done before, with the first answer; reused: the cause served for something else;
  -- too-low: the balance does not cover it; exceeded: more than the hold or capture has left; no-wallet.
  outcome text,
  entry_id bigint,
  balance_micros bigint,
  -- The caller is to start an automatic top-up, or tell that the balance is low. Each is said once.
  top_up_due boolean,
  balance_low boolean
);

-- The way in: one lock on the wallet's row, then everything else. It is one call, so that it can stand in
-- the statement that it pays for: with paid as (select * from ledger_post(…)) insert into … from paid
-- where outcome = 'posted'. Whoever moves several accounts' money in one transaction goes by account id.
create function ledger_post(
  p_account uuid,
  p_kind text,
  p_cause text,
  p_request_hash bytea,
  p_ledgers text[],
  p_amounts bigint[],
  p_of_entry bigint default null,
  p_details jsonb default '{}'
) returns ledger_outcome language plpgsql as $$
declare
  wallet wallets%rowtype;
  known ledger_entries%rowtype;
  available bigint;
  held bigint;
  wanted boolean;
  result ledger_outcome;
begin
  result.top_up_due := false;
  result.balance_low := false;
  select * into wallet from wallets where account_id = p_account for no key update;
  if not found then
    result.outcome := 'no-wallet';
    return result;
  end if;
  select * into known from ledger_entries
  where account_id = p_account and kind = p_kind and cause = p_cause;
  if found then
    result.outcome := case when known.request_hash = p_request_hash then 'repeated' else 'reused' end;
    result.entry_id := known.id;
    result.balance_micros := known.balance_micros;
    return result;
  end if;

  select coalesce(sum(amount) filter (where ledger = 'AVAILABLE'), 0),
    coalesce(sum(amount) filter (where ledger = 'HELD'), 0)
  into available, held from unnest(p_ledgers, p_amounts) as posting (ledger, amount);
  result.balance_micros := wallet.balance_micros + available;
  if result.balance_micros < 0 then
    result.outcome := 'too-low';
    result.balance_micros := wallet.balance_micros;
    return result;
  end if;

  if p_kind in ('CAPTURE', 'RELEASE') and p_of_entry is not null then
    if not exists (
      select from ledger_holds
      where entry_id = p_of_entry and account_id = p_account
        and captured_micros + released_micros - held <= amount_micros
    ) then
      result.outcome := 'exceeded';
      return result;
    end if;
  elsif p_kind = 'REFUND' then
    if not exists (
      select from ledger_postings captured
      join ledger_entries e on e.id = captured.entry_id
      where e.id = p_of_entry and e.account_id = p_account and e.kind = 'CAPTURE'
        and captured.ledger = 'REVENUE'
        and captured.amount_micros >= available + (
          select coalesce(sum(refunded.available_micros), 0) from ledger_entries refunded
          where refunded.of_entry = p_of_entry and refunded.kind = 'REFUND')
    ) then
      result.outcome := 'exceeded';
      return result;
    end if;
  end if;

  insert into ledger_entries
    (account_id, kind, cause, request_hash, available_micros, held_micros, balance_micros, of_entry, details)
  values
    (p_account, p_kind, p_cause, p_request_hash, available, held, result.balance_micros, p_of_entry, p_details)
  returning id into result.entry_id;
  insert into ledger_postings (entry_id, ledger, account_id, amount_micros)
  select result.entry_id, ledger, p_account, amount
  from unnest(p_ledgers, p_amounts) as posting (ledger, amount) where amount <> 0;

  -- Only a spend may start a charge: a reversal by the card's holder must never lead to another one. What
  -- can't be asked for now stays wanted, because later spends may all be refused for the balance.
  wanted := result.balance_micros < wallet.auto_charge_threshold_micros and p_kind <> 'REVERSAL'
    and (wallet.auto_charge_wanted or (p_kind in ('HOLD', 'CAPTURE') and available < 0 and wallet.auto_charge));
  result.top_up_due := wanted and p_kind in ('HOLD', 'CAPTURE') and available < 0 and wallet.auto_charge
    and wallet.auto_charge_asked_at is null
    and (wallet.auto_charge_next_at is null or wallet.auto_charge_next_at <= clock_timestamp());
  result.balance_low := available < 0 and not wallet.low_balance_told
    and result.balance_micros < wallet.auto_charge_threshold_micros;
  if result.top_up_due or wanted <> wallet.auto_charge_wanted then
    update wallets
    set auto_charge_wanted = wanted,
      auto_charge_asked_at = case when result.top_up_due then clock_timestamp() else auto_charge_asked_at end
    where account_id = p_account;
  end if;
  if result.balance_low then
    update wallets set low_balance_told = true where account_id = p_account;
  elsif wallet.low_balance_told and p_kind in ('TOP_UP', 'ADJUSTMENT') and available > 0
    and result.balance_micros >= wallet.auto_charge_threshold_micros then
    update wallets set low_balance_told = false where account_id = p_account;
  end if;
  result.outcome := 'posted';
  return result;
end $$;

-- Gives back items of a capture, such as messages that could not be sent, in one entry. An item that was
-- refunded before is left out; with another amount than then it is refused ('reused').
create function ledger_refund(
  p_account uuid,
  p_of_entry bigint,
  p_items text[],
  p_amounts bigint[],
  p_details jsonb default '{}'
) returns ledger_outcome language plpgsql as $$
declare
  items text[];
  amounts bigint[];
  total bigint;
  mark bytea;
  result ledger_outcome;
begin
  -- The same lock as ledger_post's: two refunds of one item follow one another.
  perform from wallets where account_id = p_account for no key update;
  if exists (
    select from unnest(p_items, p_amounts) as wanted (item, amount)
    join ledger_refunds r on r.account_id = p_account and r.item = wanted.item
    where r.amount_micros <> wanted.amount
  ) then
    result.outcome := 'reused';
    return result;
  end if;
  select array_agg(item order by item), array_agg(amount order by item), sum(amount)
  into items, amounts, total
  from (
    select distinct on (item) item, amount from unnest(p_items, p_amounts) as wanted (item, amount)
    where not exists (select from ledger_refunds r where r.account_id = p_account and r.item = wanted.item)
    order by item
  ) fresh;
  if items is null then
    select 'repeated', null, balance_micros, false, false into result
    from wallets where account_id = p_account;
    return result;
  end if;
  mark := sha256(convert_to(array_to_string(items, chr(10)), 'utf8'));
  result := ledger_post(p_account, 'REFUND', 'items:' || encode(mark, 'hex'), mark,
    array['AVAILABLE', 'REVENUE'], array[total, -total], p_of_entry, p_details);
  if result.outcome = 'posted' then
    insert into ledger_refunds (account_id, item, entry_id, amount_micros)
    select p_account, item, result.entry_id, amount from unnest(items, amounts) as fresh (item, amount);
  end if;
  return result;
end $$;
