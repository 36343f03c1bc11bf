-- No version of the program has ever set money aside: a spend is paid directly and what can't be sent is refunded. So
-- holds go. Money that is held in spite of that would be lost: it has to be released before this runs. Processes of an
-- older version read what is dropped here: stop them before this runs.
lock table ledger_holds;
do $$
begin
  if exists (select from ledger_holds where captured_micros + released_micros < amount_micros)
    or exists (select from wallets where held_micros <> 0) then
    raise exception 'a hold is open, and its money would be lost: release it first, by ledger_post with the kind RELEASE'
      using errcode = 'check_violation';
  end if;
end $$;

drop trigger guard_balance on wallets;
drop trigger guard_opening on wallets;
drop table ledger_holds;
drop function ledger_guard_holds();
alter table wallets drop column held_micros;
alter table ledger_entries drop column held_micros;
create trigger guard_balance before update of balance_micros on wallets
  for each statement when (pg_trigger_depth() < 1) execute function wallets_guard_balance();
create trigger guard_opening before insert on wallets for each row
  when (new.balance_micros <> 0) execute function wallets_guard_balance();

-- Not valid: rows that are there are not read again, which would take long and would refuse a hold that has ended.
alter table ledger_entries drop constraint ledger_entries_kind_check,
  add constraint ledger_entries_kind_check
    check (kind in ('TOP_UP', 'CAPTURE', 'REFUND', 'ADJUSTMENT', 'REVERSAL')) not valid;
-- AVAILABLE is the customer's; the others are ours.
alter table ledger_postings drop constraint ledger_postings_ledger_check,
  add constraint ledger_postings_ledger_check
    check (ledger in ('AVAILABLE', 'CARDS', 'REVENUE', 'ADJUSTMENTS', 'LOSSES')) not valid;

-- The functions are as before (see 0039 for their settings), without what held money needed.
create or replace function ledger_apply_postings() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  uneven boolean;
  strange boolean;
  unmoved boolean;
begin
  -- An entry has at most one posting to AVAILABLE: that is the key.
  with sums as materialized (
    select entry_id, account_id, sum(amount_micros) <> 0 as uneven,
      max(amount_micros) filter (where ledger = 'AVAILABLE') as available
    from added group by entry_id, account_id
  ), moved as (
    update wallets w
    set balance_micros = w.balance_micros + s.available
    from sums s where w.account_id = s.account_id and s.available is not null
    returning 1
  )
  select bool_or(s.uneven), bool_or(e.account_id is distinct from s.account_id),
    count(s.available) <> (select count(*) from moved)
  into uneven, strange, unmoved
  from sums s left join ledger_entries e on e.id = s.entry_id;
  if uneven then
    raise exception 'the postings of an entry must sum to zero' using errcode = 'check_violation';
  end if;
  if strange then
    raise exception 'a posting must belong to the account of its entry' using errcode = 'check_violation';
  end if;
  -- Of two entries of an account the update would have applied one.
  if unmoved then
    raise exception 'postings need a wallet, and a statement has one entry of an account'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;

create or replace function ledger_capture_each(
  p_accounts uuid[],
  p_amounts bigint[],
  p_causes text[],
  p_request_hashes bytea[],
  p_details jsonb[],
  p_fresh boolean default false
) returns table (
  account_id uuid, outcome text, entry_id bigint, balance_micros bigint, top_up_due boolean, balance_low boolean
) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  answered bigint;
begin
  if not p_fresh then
    perform from wallets w where w.account_id = any(p_accounts) order by w.account_id for no key update;
  end if;
  return query
  with given as materialized (
    select g.*, w.balance_micros as balance, w.balance_micros - g.amount as rest,
      w.balance_micros - g.amount < w.auto_charge_threshold_micros as below,
      w.auto_charge and w.auto_charge_asked_at is null
        and (w.auto_charge_next_at is null or w.auto_charge_next_at <= clock_timestamp()) as may_top_up,
      w.low_balance_told as told
    from unnest(p_accounts, p_amounts, p_causes, p_request_hashes, p_details)
      as g (account_id, amount, cause, request_hash, details)
    join wallets w on w.account_id = g.account_id
    order by g.account_id for no key update of w
  ), judged as materialized (
    select g.*, known.id as known_id, known.balance_micros as known_balance,
      known.request_hash = g.request_hash as same,
      case when known.id is null and g.rest >= 0 then nextval('ledger_entries_id_seq') end as id
    from given g
    left join lateral (
      select e.id, e.request_hash, e.balance_micros from ledger_entries e
      where not p_fresh and e.account_id = g.account_id and e.kind = 'CAPTURE' and e.cause = g.cause limit 1
    ) known on true
  ), made as (
    insert into ledger_entries
      (id, account_id, kind, cause, request_hash, available_micros, balance_micros, details)
    overriding system value
    select j.id, j.account_id, 'CAPTURE', j.cause, j.request_hash, -j.amount, j.rest, j.details
    from judged j where j.id is not null
  ), postings as (
    insert into ledger_postings (entry_id, ledger, account_id, amount_micros)
    select j.id, side.ledger, j.account_id, side.sign * j.amount
    from judged j cross join (values ('AVAILABLE', -1), ('REVENUE', 1)) as side (ledger, sign)
    where j.id is not null
  ), marked as (
    update wallets w
    set auto_charge_asked_at = case when j.may_top_up then clock_timestamp() else w.auto_charge_asked_at end,
      low_balance_told = true
    from judged j
    where w.account_id = j.account_id and j.id is not null and j.below and (j.may_top_up or not j.told)
  )
  select j.account_id,
    case
      when j.id is not null then 'posted'
      when j.same then 'repeated'
      when j.known_id is not null then 'reused'
      else 'too-low'
    end,
    coalesce(j.id, j.known_id),
    case when j.id is not null then j.rest else coalesce(j.known_balance, j.balance) end,
    j.id is not null and j.below and j.may_top_up,
    j.id is not null and j.below and not j.told
  from judged j;
  get diagnostics answered = row_count;
  if answered < cardinality(p_accounts) then
    return query
    select given, 'no-wallet', null::bigint, null::bigint, false, false from unnest(p_accounts) given
    where not exists (select from wallets w where w.account_id = given);
  end if;
end $$;

create or replace function ledger_post(
  p_account uuid,
  p_kind text,
  p_cause text,
  p_request_hash bytea,
  p_ledgers text[],
  p_amounts bigint[],
  p_of_entry bigint default null,
  p_details jsonb default '{}'
) returns ledger_outcome language plpgsql
set enable_seqscan = off
as $$
declare
  wallet wallets%rowtype;
  known ledger_entries%rowtype;
  available bigint;
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

  select coalesce(sum(amount) filter (where ledger = 'AVAILABLE'), 0)
  into available from unnest(p_ledgers, p_amounts) as posting (ledger, amount);
  result.balance_micros := wallet.balance_micros + available;
  if result.balance_micros < 0 then
    result.outcome := 'too-low';
    result.balance_micros := wallet.balance_micros;
    return result;
  end if;

  if p_kind = 'REFUND' then
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
    (account_id, kind, cause, request_hash, available_micros, balance_micros, of_entry, details)
  values
    (p_account, p_kind, p_cause, p_request_hash, available, result.balance_micros, p_of_entry, p_details)
  returning id into result.entry_id;
  insert into ledger_postings (entry_id, ledger, account_id, amount_micros)
  select result.entry_id, ledger, p_account, amount
  from unnest(p_ledgers, p_amounts) as posting (ledger, amount) where amount <> 0;

  -- Only a spend may start a charge: a reversal by the card's holder must never lead to another one. What
  -- can't be asked for now stays wanted, because later spends may all be refused for the balance.
  wanted := result.balance_micros < wallet.auto_charge_threshold_micros and p_kind <> 'REVERSAL'
    and (wallet.auto_charge_wanted or (p_kind = 'CAPTURE' and available < 0 and wallet.auto_charge));
  result.top_up_due := wanted and p_kind = 'CAPTURE' and available < 0 and wallet.auto_charge
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
