-- What it costs to book the payments of many accounts at once (measured, with their batches: four tenths less for 32
-- accounts). Foreign keys are checked row by row, each by a statement of its own, which was three tenths of it; what
-- they kept is kept by the statements that are made anyway, and seen again by the proof of balances.

-- Kept by ledger_apply_postings, and by entries never being removed.
alter table ledger_postings drop constraint ledger_postings_entry_id_fkey;
-- Kept by ledger_apply_postings, which has to find the wallet, and by guard_removal.
alter table ledger_entries drop constraint ledger_entries_account_id_fkey;
-- Kept by the statement that makes a batch of what it was paid by, and by guard_removal.
alter table batches drop constraint batches_account_id_fkey, drop constraint batches_capture_id_fkey;

create function wallets_guard_removal() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if not exists (select from ledger_entries where account_id = old.account_id)
      and not exists (select from batches where account_id = old.account_id) then
      return old;
    end if;
  end if;
  raise exception 'it violates foreign keys to remove a wallet: its account has entries or batches'
    using errcode = 'foreign_key_violation';
end $$;
create trigger guard_removal before delete on wallets for each row execute function wallets_guard_removal();
create trigger guard_all before truncate or update of account_id on wallets
  for each statement execute function wallets_guard_removal();

-- For the statement instead of each row. Depth 0 is a plain statement; depth 1 is the one of ledger_apply_postings.
drop trigger guard_balance on wallets;
create trigger guard_balance before update of balance_micros, held_micros on wallets
  for each statement when (pg_trigger_depth() < 1) execute function wallets_guard_balance();

-- As before, in one statement instead of four: an entry and a wallet are looked up once each.
create or replace function ledger_apply_postings() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  uneven boolean;
  strange boolean;
  unmoved boolean;
  holding boolean;
begin
  -- An entry has one posting to AVAILABLE and one to HELD at most: that is the key.
  with sums as materialized (
    select entry_id, account_id, sum(amount_micros) <> 0 as uneven,
      max(amount_micros) filter (where ledger = 'AVAILABLE') as available,
      max(amount_micros) filter (where ledger = 'HELD') as held
    from added group by entry_id, account_id
  ), moved as (
    update wallets w
    set balance_micros = w.balance_micros + coalesce(s.available, 0),
      held_micros = w.held_micros + coalesce(s.held, 0)
    from sums s where w.account_id = s.account_id and (s.available is not null or s.held is not null)
    returning 1
  )
  select bool_or(s.uneven), bool_or(e.account_id is distinct from s.account_id),
    count(*) filter (where s.available is not null or s.held is not null) <> (select count(*) from moved),
    bool_or(s.held is not null)
  into uneven, strange, unmoved, holding
  from sums s left join ledger_entries e on e.id = s.entry_id;
  if uneven then
    raise exception 'the postings of an entry must sum to zero' using errcode = 'check_violation';
  end if;
  if strange then
    raise exception 'a posting must belong to the account of its entry' using errcode = 'check_violation';
  end if;
  -- Of two entries of an account the update would have taken one.
  if unmoved then
    raise exception 'postings need a wallet, and a statement has one entry of an account'
      using errcode = 'check_violation';
  end if;
  -- Most entries hold nothing.
  if holding then
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

-- As before (see 0012), with ids that are taken before they are written, so that nothing is joined with what was
-- written. Causes that were made just now are nobody's yet (p_fresh): they are not looked for, and one that was there
-- after all would be refused by its index. Others are looked for in a statement that begins when the wallets are
-- locked, so that it sees what those have written who had them before.
drop function ledger_capture_each(uuid[], bigint[], text[], bytea[], jsonb[]);
create function ledger_capture_each(
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
      (id, account_id, kind, cause, request_hash, available_micros, held_micros, balance_micros, details)
    overriding system value
    select j.id, j.account_id, 'CAPTURE', j.cause, j.request_hash, -j.amount, 0, j.rest, j.details
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
