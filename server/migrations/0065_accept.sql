-- Every spend of messages goes by this function, in the statement that stores them: causes are always new, a message
-- may cost nothing, and who needs more work can be left out.

-- The key of a call is stored together with its answer, when the call is accepted. Its account is checked by whoever
-- stores it, and a check for each call would cost as much as the call.
alter table idempotency_keys drop constraint idempotency_keys_account_id_fkey;
delete from idempotency_keys where answer is null;
alter table idempotency_keys alter column answer set not null;

drop function ledger_capture_each(uuid[], bigint[], text[], bytea[], jsonb[], boolean);
-- Settings: see 0039.
create function ledger_capture_each(
  p_accounts uuid[],
  p_amounts bigint[],
  p_causes text[],
  p_request_hashes bytea[],
  p_details jsonb[],
  -- Leaves out accounts whose new balance causes a top-up or a mail.
  p_quiet boolean
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
  return query
  with given as materialized (
    select g.*, w.balance_micros as balance, w.balance_micros - g.amount as rest,
      g.amount > 0 and w.balance_micros - g.amount < w.auto_charge_threshold_micros as below,
      w.auto_charge and w.auto_charge_asked_at is null
        and (w.auto_charge_next_at is null or w.auto_charge_next_at <= clock_timestamp()) as may_top_up,
      w.low_balance_told as told
    from unnest(p_accounts, p_amounts, p_causes, p_request_hashes, p_details)
      as g (account_id, amount, cause, request_hash, details)
    join wallets w on w.account_id = g.account_id
    order by g.account_id for no key update of w
  ), judged as materialized (
    select j.*, case when j.outcome = 'posted' and j.amount > 0 then nextval('ledger_entries_id_seq') end as id
    from (
      select g.*, case
          when g.rest < 0 then 'too-low'
          when p_quiet and g.below and (g.may_top_up or not g.told) then 'causes-more'
          else 'posted'
        end as outcome
      from given g
    ) j
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
  select j.account_id, j.outcome, j.id, case j.outcome when 'posted' then j.rest else j.balance end,
    j.id is not null and j.below and j.may_top_up, j.id is not null and j.below and not j.told
  from judged j;
  get diagnostics answered = row_count;
  if answered < cardinality(p_accounts) then
    return query
    select given, 'no-wallet', null::bigint, null::bigint, false, false from unnest(p_accounts) given
    where not exists (select from wallets w where w.account_id = given);
  end if;
end $$;
