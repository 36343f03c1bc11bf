-- What ledger_post does for a CAPTURE at once, for many accounts in one go: each is posted or refused alone, with
-- the same outcomes. Each account at most once a call. A statement for all instead of some ten for each is what
-- lets one commit carry the messages of many accounts.
--
-- The settings and the lateral join keep its plans to the indexes: one that was made while the ledger was young
-- would read all of it, and a connection keeps its plans (measured: 39 ms for 64 accounts against 5).
create function ledger_capture_each(
  p_accounts uuid[],
  p_amounts bigint[],
  p_causes text[],
  p_request_hashes bytea[],
  p_details jsonb[]
) returns table (
  account_id uuid, outcome text, entry_id bigint, balance_micros bigint, top_up_due boolean, balance_low boolean
) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
begin
  perform from wallets w where w.account_id = any(p_accounts) order by w.account_id for no key update;
  return query
  with given as (
    select * from unnest(p_accounts, p_amounts, p_causes, p_request_hashes, p_details)
      as g (account_id, amount, cause, request_hash, details)
  ), judged as (
    select g.*, known.id as known_id, known.balance_micros as known_balance, w.balance_micros as balance,
      case
        when w.account_id is null then 'no-wallet'
        when known.request_hash = g.request_hash then 'repeated'
        when known.id is not null then 'reused'
        when w.balance_micros < g.amount then 'too-low'
        else 'posted'
      end as outcome,
      w.balance_micros - g.amount < w.auto_charge_threshold_micros as below,
      w.auto_charge and w.auto_charge_asked_at is null
        and (w.auto_charge_next_at is null or w.auto_charge_next_at <= clock_timestamp()) as may_top_up,
      w.low_balance_told as told
    from given g
    left join wallets w on w.account_id = g.account_id
    left join lateral (
      select e.id, e.request_hash, e.balance_micros from ledger_entries e
      where e.account_id = g.account_id and e.kind = 'CAPTURE' and e.cause = g.cause limit 1
    ) known on true
  ), made as (
    insert into ledger_entries
      (account_id, kind, cause, request_hash, available_micros, held_micros, balance_micros, details)
    select j.account_id, 'CAPTURE', j.cause, j.request_hash, -j.amount, 0, j.balance - j.amount, j.details
    from judged j where j.outcome = 'posted'
    returning id, account_id, available_micros, balance_micros
  ), postings as (
    insert into ledger_postings (entry_id, ledger, account_id, amount_micros)
    select m.id, side.ledger, m.account_id, side.sign * m.available_micros
    from made m cross join (values ('AVAILABLE', 1), ('REVENUE', -1)) as side (ledger, sign)
  ), marked as (
    update wallets w
    set auto_charge_asked_at = case when j.may_top_up then clock_timestamp() else w.auto_charge_asked_at end,
      low_balance_told = true
    from judged j
    where w.account_id = j.account_id and j.outcome = 'posted' and j.below and (j.may_top_up or not j.told)
  )
  select j.account_id, j.outcome, coalesce(m.id, j.known_id),
    coalesce(m.balance_micros, j.known_balance, j.balance),
    coalesce(m.id is not null and j.below and j.may_top_up, false),
    coalesce(m.id is not null and j.below and not j.told, false)
  from judged j left join made m on m.account_id = j.account_id;
end $$;

alter function ledger_apply_postings() set enable_seqscan = off;
alter function ledger_apply_postings() set enable_hashjoin = off;
alter function ledger_apply_postings() set enable_mergejoin = off;
