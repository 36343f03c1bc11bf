-- The provider's name for an account as its customer.
create table card_customers (
  account_id uuid not null references accounts (id) on delete cascade,
  processor text not null,
  customer_ref text not null,
  primary key (account_id, processor)
);

-- Never more of a card than its last four digits. A removed one stays for the payments made with it.
create table cards (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  processor text not null,
  customer_ref text not null,
  method_ref text not null,
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  brand text not null,
  exp_month int not null,
  exp_year int not null,
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  check (not is_default or removed_at is null)
);
create unique index cards_default on cards (account_id, processor) where is_default;
create unique index cards_method on cards (processor, method_ref) where removed_at is null;
create index cards_account on cards (account_id, created_at);
create index cards_last4 on cards (last4);

create table wallets (
  account_id uuid primary key references accounts (id) on delete cascade,
  balance_micros bigint not null default 0 check (balance_micros >= 0),
  currency text not null default 'HKD' check (currency in ('HKD', 'USD')),
  auto_charge boolean not null default false,
  auto_charge_amount_micros bigint check (auto_charge_amount_micros > 0),
  card_id uuid references cards (id),
  auto_charge_threshold_micros bigint not null default 5000000 check (auto_charge_threshold_micros > 0),
  -- Null: the default, which follows the amount.
  auto_charge_daily_cap_micros bigint check (auto_charge_daily_cap_micros > 0),
  -- A spend, or turning it on, has found the balance below the threshold, and it has not risen since.
  auto_charge_wanted boolean not null default false,
  -- Since when an automatic top-up is asked for or under way; null while there is none.
  auto_charge_asked_at timestamptz,
  -- Not before, after a decline or a full day.
  auto_charge_next_at timestamptz,
  auto_charge_declines int not null default 0,
  -- Why it turned itself off; empty while it has not.
  auto_charge_stopped text not null default '',
  -- Set when the low balance was told, until money is added again.
  low_balance_told boolean not null default false,
  -- The part of the balance that test cards paid: it pays for simulated messages only.
  sandbox_micros bigint not null default 0,
  -- An admin's word that the account may send for real, where the operator asks for it.
  approved_at timestamptz,
  -- An admin has suspended the account: it sends nothing, and what waits is held (server/traffic/outbox).
  suspended_at timestamptz,
  suspended_reason text not null default '',
  -- The most that may be spent on real messages in a day, and how many countries may be written to for the first time;
  -- null: what the operator has set for all.
  day_limit_micros bigint check (day_limit_micros >= 0),
  new_countries_limit int check (new_countries_limit >= 0),
  -- What was spent on real messages on that day (UTC), and the last day on which it was told that the limit is near.
  spent_on date not null default '1970-01-01',
  spent_micros bigint not null default 0,
  limit_told_on date not null default '1970-01-01',
  constraint wallets_sandbox_part check (sandbox_micros between 0 and balance_micros),
  check (not auto_charge or (auto_charge_amount_micros is not null and card_id is not null))
);
create index wallets_suspended on wallets (account_id) where suspended_at is not null;
create index wallets_sandbox on wallets (account_id) where sandbox_micros > 0;
create index wallets_auto_charge_asked on wallets (auto_charge_asked_at)
  where auto_charge_asked_at is not null;
create index wallets_auto_charge_wanted on wallets (auto_charge_next_at)
  where auto_charge_wanted and auto_charge_asked_at is null;

create table payments (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references wallets (account_id),
  type text not null check (type in ('TOP_UP', 'AUTO_TOP_UP', 'REFUND', 'DISPUTE')),
  status text not null check (status in ('PENDING', 'SUCCESS', 'FAILED')),
  -- What the balance gets, or what a refund or dispute takes back.
  amount_micros bigint not null check (amount_micros > 0),
  -- What the card is charged: whole cents of the settlement currency of that moment.
  currency text not null check (currency in ('HKD', 'USD')),
  charge_minor bigint not null check (charge_minor > 0),
  card_id uuid not null references cards (id),
  -- The payment that a REFUND or DISPUTE concerns.
  of_payment uuid references payments (id),
  processor text not null,
  -- The provider's id of the charge; of a DISPUTE, that of the dispute.
  charge_ref text,
  -- For the card holder's authentication, while the provider waits for it.
  client_secret text,
  idempotency_key text,
  request_hash bytea,
  reason text not null default '',
  -- Of a top-up: what the provider has given back to the card in all, and what of it we could not recover.
  refunded_minor bigint not null default 0,
  disputed_minor bigint not null default 0,
  reversed_micros bigint not null default 0,
  lost_micros bigint not null default 0,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  -- When the provider was last asked how it stands.
  checked_at timestamptz,
  check ((type in ('REFUND', 'DISPUTE')) = (of_payment is not null)),
  check ((idempotency_key is null) = (request_hash is null)),
  check (reversed_micros between 0 and amount_micros),
  check (lost_micros between 0 and reversed_micros)
);
create unique index payments_idempotency_key on payments (account_id, idempotency_key)
  where idempotency_key is not null;
-- At most one automatic top-up in flight, however many spends and processes there are.
create unique index payments_one_auto_top_up on payments (account_id)
  where type = 'AUTO_TOP_UP' and status = 'PENDING';
create unique index payments_charge_ref on payments (processor, charge_ref)
  where charge_ref is not null and of_payment is null;
create unique index payments_one_dispute on payments (of_payment, charge_ref) where type = 'DISPUTE';
create index payments_account on payments (account_id, created_at, id);
create index payments_created on payments (created_at, id);
create index payments_of_payment on payments (of_payment) where of_payment is not null;
create index payments_pending on payments (created_at) where status = 'PENDING';

-- Which mails about a payment went out, and when each last did.
create table payment_mails (
  payment_id uuid not null references payments (id) on delete cascade,
  kind text not null check (kind in ('receipt', 'auto-declined', 'auto-stopped')),
  sent_at timestamptz not null default now(),
  primary key (payment_id, kind)
);

-- What the provider told us, by its own event id: a repeat is known. Without processed_at it waits for
-- something that is to come first, such as a refund for the payment that it concerns.
create table processor_events (
  processor text not null,
  event_id text not null,
  event jsonb not null,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  primary key (processor, event_id)
);
create index processor_events_waiting on processor_events (received_at) where processed_at is null;
create index processor_events_payment on processor_events ((event->>'paymentId'));
create index processor_events_charge on processor_events ((event->>'chargeRef'));

-- A refund to a card that an admin asked for. One that is ASKED may have been made: it is asked for again under its id.
create table payment_refunds (
  id uuid primary key default gen_random_uuid(),
  payment_id uuid not null references payments (id),
  amount_minor bigint not null check (amount_minor > 0),
  -- What had been given back of the payment before.
  refunded_minor bigint not null check (refunded_minor >= 0),
  reason text not null check (reason <> ''),
  -- The admin.
  asked_by uuid not null references accounts (id),
  idempotency_key text not null,
  state text not null default 'ASKED' check (state in ('ASKED', 'DONE', 'REFUSED')),
  -- Why the provider refused it.
  answer text not null default '',
  created_at timestamptz not null default now(),
  settled_at timestamptz
);
create unique index payment_refunds_one_asked on payment_refunds (payment_id) where state = 'ASKED';
create unique index payment_refunds_key on payment_refunds (payment_id, idempotency_key);

-- Double entry in micro-dollars. Nothing here is ever changed or removed: a mistake is mended by another entry. Foreign
-- keys are checked row by row, each by a statement of its own, which was three tenths of what it costs to book the
-- payments of many accounts at once. Where there is none, what it would keep is kept by the statements that are made
-- anyway, and seen again by the proof of balances.
create table ledger_entries (
  id bigint generated always as identity primary key,
  -- A wallet: ledger_apply_postings has to find it, and guard_removal keeps it.
  account_id uuid not null,
  kind text not null check (kind in ('TOP_UP', 'CAPTURE', 'REFUND', 'RECAPTURE', 'ADJUSTMENT', 'REVERSAL')),
  -- The idempotency key: what caused it, such as a payment or a batch.
  cause text not null check (cause <> ''),
  request_hash bytea not null,
  -- What the balance gained.
  available_micros bigint not null,
  -- The balance after it.
  balance_micros bigint not null check (balance_micros >= 0),
  -- What the part of the balance that test cards paid gained.
  sandbox_micros bigint not null default 0,
  -- A CAPTURE for real messages: it counts for the day's limit.
  real boolean not null default false,
  -- The CAPTURE or RECAPTURE that a REFUND gives back.
  of_entry bigint references ledger_entries (id),
  details jsonb not null default '{}',
  -- Of the moment when the wallet was locked: in the order of the ids within an account.
  created_at timestamptz not null default clock_timestamp(),
  -- What a bill sums of refunds, so that it is read from an index alone: an account may have thousands a month. What
  -- was charged again counts against them.
  refund_channel text
    generated always as (case when kind in ('REFUND', 'RECAPTURE') then coalesce(details->>'channel', 'sms') end) stored,
  refund_messages int
    generated always as (case when kind in ('REFUND', 'RECAPTURE')
      then coalesce((details->>'messages')::int, 0) * case kind when 'REFUND' then 1 else -1 end end) stored
);
create unique index ledger_entries_cause on ledger_entries (account_id, kind, cause);
create index ledger_entries_account on ledger_entries (account_id, created_at, id);
create index ledger_entries_of_entry on ledger_entries (of_entry) where of_entry is not null;
-- What a bill and a statement add up besides the captures, which are many and come from the counters.
create index ledger_entries_besides_captures on ledger_entries (account_id, created_at)
  include (kind, available_micros) where kind <> 'CAPTURE';
create index ledger_entries_refunds on ledger_entries (account_id, created_at)
  include (refund_channel, refund_messages, available_micros) where kind in ('REFUND', 'RECAPTURE');

create table ledger_postings (
  -- An entry of the same account: kept by ledger_apply_postings, and by entries never being removed.
  entry_id bigint not null,
  -- AVAILABLE is the customer's; the others are ours.
  ledger text not null check (ledger in ('AVAILABLE', 'CARDS', 'REVENUE', 'ADJUSTMENTS', 'LOSSES')),
  account_id uuid not null,
  amount_micros bigint not null check (amount_micros <> 0),
  primary key (entry_id, ledger)
);

-- What was refunded, such as a message: once each.
create table ledger_refunds (
  account_id uuid not null,
  item text not null,
  entry_id bigint not null references ledger_entries (id),
  amount_micros bigint not null check (amount_micros > 0),
  primary key (account_id, item)
);

-- What was charged again after its refund, such as a message that turned out to be sent: once for each refund. From
-- then on it is refunded of this entry, under another name.
create table ledger_recaptures (
  account_id uuid not null,
  item text not null,
  turn int not null check (turn > 0),
  entry_id bigint not null references ledger_entries (id),
  refunded_as text not null,
  primary key (account_id, item, turn)
);

-- Each run of the check that the cached balances equal the postings.
create table ledger_proofs (
  id bigint generated always as identity primary key,
  proven_at timestamptz not null default now(),
  wallets bigint not null,
  -- Wallets that differ from their postings; anything but zero is an alarm.
  differences bigint not null,
  duration_ms int not null
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
create trigger append_only before update or delete or truncate on ledger_recaptures
  for each statement execute function ledger_refuse_change();

-- The balance follows the postings by itself: whoever adds postings moves it, and nobody else can. One statement looks
-- up an entry and a wallet once each. For the settings see ledger_capture_each.
create function ledger_apply_postings() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  uneven boolean;
  strange boolean;
  unmoved boolean;
  today date := (clock_timestamp() at time zone 'utc')::date;
begin
  -- An entry has at most one posting to AVAILABLE: that is the key.
  with sums as materialized (
    select a.*, e.account_id as owner, coalesce(e.sandbox_micros, 0) as sandbox, coalesce(e.real, false) as real
    from (
      select entry_id, account_id, sum(amount_micros) <> 0 as uneven,
        max(amount_micros) filter (where ledger = 'AVAILABLE') as available
      from added group by entry_id, account_id
    ) a left join ledger_entries e on e.id = a.entry_id
  ), moved as (
    update wallets w
    set balance_micros = w.balance_micros + m.available,
      sandbox_micros = w.sandbox_micros + m.sandbox,
      spent_on = case when m.spent is null then w.spent_on else today end,
      spent_micros = coalesce(m.spent, 0)
        + case when m.spent is not null and w.spent_on <> today then 0 else w.spent_micros end
    from (
      select account_id, count(*) as entries, sum(available) as available, sum(sandbox) as sandbox,
        sum(-available) filter (where real) as spent
      from sums where available is not null group by account_id
    ) m where w.account_id = m.account_id
    -- A capture counts on the balance and the day's limit before it: of an account there is one in a statement.
    returning case when m.entries > 1 and m.spent is not null then 0 else m.entries end as entries
  )
  select bool_or(s.uneven), bool_or(s.owner is distinct from s.account_id),
    count(s.available) <> (select coalesce(sum(entries), 0) from moved)
  into uneven, strange, unmoved
  from sums s;
  if uneven then
    raise exception 'the postings of an entry must sum to zero' using errcode = 'check_violation';
  end if;
  if strange then
    raise exception 'a posting must belong to the account of its entry' using errcode = 'check_violation';
  end if;
  if unmoved then
    raise exception 'postings need a wallet, and a statement has one real capture of an account'
      using errcode = 'check_violation';
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

-- For the statement instead of each row. Depth 0 is a plain statement; depth 1 is the one of ledger_apply_postings.
create trigger guard_balance before update of balance_micros, sandbox_micros, spent_on, spent_micros on wallets
  for each statement when (pg_trigger_depth() < 1) execute function wallets_guard_balance();
create trigger guard_opening before insert on wallets for each row
  when (new.balance_micros <> 0) execute function wallets_guard_balance();

-- In place of the foreign keys that entries and batches don't have: an account whose money moved can't be deleted.
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

-- What a wallet's row says of a spend from it: the one place where these rules are. Whoever locked the row compares the
-- balance that the spend leaves; 0 stands for never, because no balance is below it. Planners put the expression in place
-- of the call, which it must stay simple for.
create type wallet_bounds as (
  -- What leaves less tells that the balance is low; 0 once it was told.
  low_under bigint,
  -- What leaves less makes an automatic top-up wanted; 0 while it is off, or wanted already.
  wanted_under bigint,
  -- What leaves less starts one; 0 while none may start, such as after a decline: then it is only wanted.
  top_up_under bigint,
  -- The most that may go for something real: money of test cards pays for nothing real.
  real_micros bigint
);
create function wallet_bounds(w wallets) returns wallet_bounds language sql volatile as $$
  select row(
    case when w.low_balance_told then 0 else w.auto_charge_threshold_micros end,
    case when w.auto_charge and not w.auto_charge_wanted then w.auto_charge_threshold_micros else 0 end,
    case when w.auto_charge and w.auto_charge_asked_at is null
        and (w.auto_charge_next_at is null or w.auto_charge_next_at <= clock_timestamp())
      then w.auto_charge_threshold_micros else 0 end,
    w.balance_micros - w.sandbox_micros
  )::wallet_bounds
$$;

-- The outcomes of all functions that follow. Only what is posted moved money in this call:
--   posted        written; a capture of nothing is posted without an entry
--   repeated      done before: ledger_post answers with the first entry; of items, all were refunded before, or the one
--                 is not refunded at this moment
--   reused        the cause served for something else, or the item was refunded with another amount
--   too-low       the balance does not cover it
--   exceeded      the refund is more than its capture has left
--   no-wallet     the account has none
-- Of ledger_capture_each alone:
--   suspended     the account is suspended
--   unapproved    real messages need an admin's word, which the account lacks
--   sandbox       it would take money of test cards for something real
--   over-limit    it is more than the day's limit has left
--   needs-follow-up   it would cause a top-up or a mail, and the caller asked to leave these out
create type ledger_outcome as (
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
-- Each of its statements is about one entry or wallet, found by an index.
create function ledger_post(
  p_account uuid,
  p_kind text,
  p_cause text,
  p_request_hash bytea,
  p_ledgers text[],
  p_amounts bigint[],
  p_details jsonb default '{}',
  -- Of test cards: paid or given back by one; of a CAPTURE, that simulators serve it.
  p_sandbox boolean default false
) returns ledger_outcome language plpgsql
set enable_seqscan = off
as $$
declare
  wallet wallets%rowtype;
  bounds wallet_bounds;
  known ledger_entries%rowtype;
  available bigint;
  sandbox bigint;
  spent boolean;
  wanted boolean;
  result ledger_outcome;
begin
  if p_kind in ('REFUND', 'RECAPTURE') then
    raise exception '% is made by ledger_refund_each or ledger_recapture_each', p_kind using errcode = 'check_violation';
  end if;
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
  bounds := wallet_bounds(wallet);
  -- Only an adjustment takes money of test cards away for something else.
  if result.balance_micros < 0
    or (p_kind in ('CAPTURE', 'REVERSAL') and not p_sandbox and available < 0 and -available > bounds.real_micros) then
    result.outcome := 'too-low';
    result.balance_micros := wallet.balance_micros;
    return result;
  end if;
  sandbox := case
    when p_kind = 'CAPTURE' and p_sandbox then greatest(available, -wallet.sandbox_micros)
    when p_sandbox then available
    else least(0, result.balance_micros - wallet.sandbox_micros)
  end;

  insert into ledger_entries
    (account_id, kind, cause, request_hash, available_micros, balance_micros, sandbox_micros, details)
  values
    (p_account, p_kind, p_cause, p_request_hash, available, result.balance_micros, sandbox, p_details)
  returning id into result.entry_id;
  insert into ledger_postings (entry_id, ledger, account_id, amount_micros)
  select result.entry_id, ledger, p_account, amount
  from unnest(p_ledgers, p_amounts) as posting (ledger, amount) where amount <> 0;

  -- Only a spend may start a charge: a reversal by the card's holder must never lead to another one. What
  -- can't be asked for now stays wanted, because later spends may all be refused for the balance.
  spent := p_kind = 'CAPTURE' and available < 0;
  wanted := (spent and result.balance_micros < bounds.wanted_under) or (wallet.auto_charge_wanted
    and p_kind <> 'REVERSAL' and result.balance_micros < wallet.auto_charge_threshold_micros);
  result.top_up_due := spent and result.balance_micros < bounds.top_up_under;
  result.balance_low := available < 0 and result.balance_micros < bounds.low_under;
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

-- Gives back items of captures, such as messages that could not be sent: one entry for each refund. An item that was
-- refunded before is left out; with another amount than then the refund is refused ('reused'). Unless all are 'posted' or
-- 'repeated', the caller takes everything back: what was refused counted for the others.
--
-- All are made by one statement: each by itself moved its wallet, which stayed locked for a quarter of a second while
-- 200 messages were refunded that had been sent one by one. What is looked up is found by its key, whatever the ledger
-- held when a connection made its plans: a plan of a young ledger read all refunds for each item of a call (measured:
-- 20 s for 1,000 of 150,000 messages that were cancelled).
create function ledger_refund_each(
  p_accounts uuid[],
  -- The CAPTURE or RECAPTURE.
  p_of_entries bigint[],
  p_details jsonb[],
  -- Of each item: to which refund it belongs, from 1.
  p_refunds int[],
  p_items text[],
  p_amounts bigint[]
) returns setof ledger_outcome language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  -- The same lock as ledger_post's: two refunds of one item follow one another.
  perform from wallets where account_id = any(p_accounts) order by account_id for no key update;
  return query
  with looked_up as materialized (
    select i.*, p_accounts[i.at] as account_id, before.known
    from unnest(p_refunds, p_items, p_amounts) with ordinality as i (at, item, amount, place)
    left join lateral (
      select r.amount_micros as known from ledger_refunds r
      where r.account_id = p_accounts[i.at] and r.item = i.item limit 1
    ) before on true
  ), wanted as materialized (
    select at, item, amount,
      coalesce(known, case when row_number() over same > 1 then first_value(amount) over same end) as known
    from looked_up window same as (partition by account_id, item collate "C" order by place)
  ), refunds as materialized (
    select at, p_accounts[at] as account_id, p_of_entries[at] as of_entry, bool_or(known <> amount) as reused,
      array_agg(item) filter (where known is null) as items,
      array_agg(amount) filter (where known is null) as amounts,
      coalesce(sum(amount) filter (where known is null), 0)::bigint as total
    from wanted group by at
  ), judged as materialized (
    select j.*, case
        when j.balance is null then 'no-wallet'
        when j.reused then 'reused'
        when j.items is null then 'repeated'
        when j.captured >= j.refunded + j.so_far then 'posted'
        else 'exceeded'
      end as outcome
    from (
      select r.*, w.balance_micros as balance, c.captured, c.refunded, c.sandbox_left,
        sum(r.total) over (partition by r.of_entry order by r.at) as so_far
      from refunds r
      left join lateral (select balance_micros from wallets where account_id = r.account_id limit 1) w on true
      left join lateral (
        select p.amount_micros as captured, before.refunded, -e.sandbox_micros - before.sandbox as sandbox_left
        from ledger_entries e join ledger_postings p on p.entry_id = e.id and p.ledger = 'REVENUE'
        cross join lateral (
          select coalesce(sum(b.available_micros), 0) as refunded, coalesce(sum(b.sandbox_micros), 0) as sandbox
          from ledger_entries b where b.of_entry = e.id
        ) before
        where e.id = r.of_entry and e.account_id = r.account_id and e.kind in ('CAPTURE', 'RECAPTURE') limit 1
      ) c on true
    ) j
  ), numbered as materialized (
    select o.*, case when o.outcome = 'posted' then nextval('ledger_entries_id_seq') end as id
    from (
      select j.*,
        j.balance + sum(case j.outcome when 'posted' then j.total else 0 end)
          over (partition by j.account_id order by j.at) as rest
      from judged j order by j.at offset 0
    ) o
  ), made as (
    insert into ledger_entries (id, account_id, kind, cause, request_hash, available_micros, balance_micros,
      sandbox_micros, of_entry, details)
    overriding system value
    select n.id, n.account_id, 'REFUND', 'items:' || encode(m.mark, 'hex'), m.mark, n.total, n.rest,
      -- What test cards paid becomes their money again, first.
      least(n.so_far, n.sandbox_left) - least(n.so_far - n.total, n.sandbox_left), n.of_entry,
      -- The caller counted those too that were refunded before.
      p_details[n.at] || case when p_details[n.at] ? 'messages'
        then jsonb_build_object('messages', cardinality(n.items)) else '{}' end
    from numbered n
    cross join lateral (select sha256(convert_to(array_to_string(n.items, chr(10)), 'utf8')) as mark) m
    where n.id is not null
  ), postings as (
    insert into ledger_postings (entry_id, ledger, account_id, amount_micros)
    select n.id, side.ledger, n.account_id, side.sign * n.total
    from numbered n cross join (values ('AVAILABLE', 1), ('REVENUE', -1)) as side (ledger, sign)
    where n.id is not null
  ), noted as (
    insert into ledger_refunds (account_id, item, entry_id, amount_micros)
    select n.account_id, fresh.item, n.id, fresh.amount
    from numbered n cross join lateral unnest(n.items, n.amounts) as fresh (item, amount)
    where n.id is not null
  ), top_up_unneeded as (
    update wallets w set auto_charge_wanted = false
    from (select account_id, max(rest) as rest from numbered where id is not null group by account_id) n
    where w.account_id = n.account_id and w.auto_charge_wanted and n.rest >= w.auto_charge_threshold_micros
  )
  select n.outcome, n.id, n.rest::bigint, false, false from numbered n order by n.at;
end $$;

-- Charges items again that were refunded; 'repeated' if one is not refunded at this moment, and nothing is moved. An
-- account's balance covers real ones first, and of each kind the cheapest first: what it does not cover costs more than
-- is left. By one statement and by keys, as above.
create function ledger_recapture_each(
  p_accounts uuid[],
  p_items text[],
  p_details jsonb[],
  -- That simulators served it: then money of test cards pays for it.
  p_simulated boolean[]
) returns setof ledger_outcome language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  perform from wallets where account_id = any(p_accounts) order by account_id for no key update;
  return query
  with looked_up as materialized (
    select g.*, coalesce(last.turn, 0) + 1 as turn, refund.item as refunded_as,
      -- One that is named twice is charged once.
      case row_number() over (partition by g.account_id, g.item collate "C" order by g.at)
        when 1 then coalesce(refund.amount_micros, 0) else 0 end as amount
    from unnest(p_accounts, p_items, p_simulated) with ordinality as g (account_id, item, simulated, at)
    left join lateral (
      select r.turn, r.refunded_as from ledger_recaptures r
      where r.account_id = g.account_id and r.item = g.item order by r.turn desc limit 1
    ) last on true
    left join lateral (
      select r.item, r.amount_micros from ledger_refunds r
      where r.account_id = g.account_id and r.item = coalesce(last.refunded_as, g.item) limit 1
    ) refund on true
  ), added_up as materialized (
    select l.*, w.*, sum(l.amount) over (partition by l.account_id, l.simulated order by l.amount, l.at) as so_far
    from looked_up l
    left join lateral (
      select balance_micros as balance, sandbox_micros as sandbox, (wallet_bounds(b)).low_under,
        (wallet_bounds(b)).real_micros
      from wallets b where account_id = l.account_id limit 1
    ) w on true
  ), judged as materialized (
    select j.*, case
        when j.balance is null then 'no-wallet'
        when j.amount = 0 then 'repeated'
        when j.so_far <= j.free then 'posted'
        else 'too-low'
      end as outcome
    from (
      select a.*, case when a.simulated
          then a.balance - coalesce(sum(a.amount) filter (where not a.simulated and a.so_far <= a.real_micros)
            over (partition by a.account_id), 0)
          else a.real_micros
        end as free
      from added_up a
    ) j
  ), numbered as materialized (
    -- Low: of the first that leaves less.
    select o.*, o.outcome = 'posted' and o.rest < o.low_under
        and (o.rest + o.amount >= o.low_under or o.rest + o.amount = o.balance) as low,
      case when o.outcome = 'posted' then nextval('ledger_entries_id_seq') end as id
    from (
      select j.*,
        j.balance - sum(case j.outcome when 'posted' then j.amount else 0 end)
          over (partition by j.account_id order by j.simulated, j.amount, j.at) as rest
      from judged j order by j.account_id, j.simulated, j.amount, j.at offset 0
    ) o
  ), made as (
    insert into ledger_entries (id, account_id, kind, cause, request_hash, available_micros, balance_micros,
      sandbox_micros, details)
    overriding system value
    select n.id, n.account_id, 'RECAPTURE', n.refunded_as, sha256(convert_to(n.refunded_as, 'utf8')), -n.amount, n.rest,
      case when n.simulated then least(n.so_far - n.amount, n.sandbox) - least(n.so_far, n.sandbox) else 0 end,
      p_details[n.at]
    from numbered n where n.id is not null
  ), postings as (
    insert into ledger_postings (entry_id, ledger, account_id, amount_micros)
    select n.id, side.ledger, n.account_id, side.sign * n.amount
    from numbered n cross join (values ('AVAILABLE', -1), ('REVENUE', 1)) as side (ledger, sign)
    where n.id is not null
  ), noted as (
    insert into ledger_recaptures (account_id, item, turn, entry_id, refunded_as)
    select n.account_id, n.item, n.turn, n.id, n.item || '#' || n.turn from numbered n where n.id is not null
  ), told as (
    update wallets w set low_balance_told = true from numbered n where n.low and w.account_id = n.account_id
  )
  select n.outcome, n.id, n.rest::bigint, false, n.low from numbered n order by n.at;
end $$;

-- What ledger_post does for a CAPTURE, for many accounts in one go; every spend of messages goes by it, in the
-- statement that stores them. Each account is posted or refused alone, at most once a call. Causes are always new, a
-- message may cost nothing, and who needs more work can be left out. A statement for all instead of some ten for each
-- is what lets one commit carry the messages of many accounts. Ids are taken before they are written, so that nothing
-- is joined with what was written.
--
-- The settings keep its plans to the indexes: one that was made while the ledger was young would read all of it, and a
-- connection keeps its plans (measured: 39 ms for 64 accounts against 5). Planned anew at each call, it took longer to
-- plan than to run (1.5 ms of 2.4 for the messages of one commit), so one plan serves all.
create function ledger_capture_each(
  p_accounts uuid[],
  p_amounts bigint[],
  p_causes text[],
  p_request_hashes bytea[],
  p_details jsonb[],
  -- For messages that simulators serve: these alone may be paid with money of test cards.
  p_simulated boolean[],
  -- Leaves out accounts whose new balance causes a top-up or a mail ('needs-follow-up'). Says nothing of those whose wallet
  -- another transaction has locked: only they have to wait for that.
  p_fast_path boolean,
  -- Whether real messages need an admin's word.
  p_approval boolean,
  -- Of accounts that have no limit of their own; null: none.
  p_day_limit bigint
) returns table (
  -- As ledger_outcome. Of what is refused, balance_micros is what could have been spent.
  account_id uuid, outcome text, entry_id bigint, balance_micros bigint, top_up_due boolean, balance_low boolean,
  limit_near boolean, limit_micros bigint
) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  answered bigint;
  today date := (clock_timestamp() at time zone 'utc')::date;
begin
  return query
  with free as materialized (
    select w.account_id from wallets w where p_fast_path and w.account_id = any(p_accounts)
    for no key update of w skip locked
  ), given as materialized (
    select g.*, w.balance_micros as balance, w.balance_micros - g.amount as rest, w.sandbox_micros as sandbox,
      (wallet_bounds(w)).real_micros,
      g.amount > 0 and w.balance_micros - g.amount < (wallet_bounds(w)).low_under as low,
      g.amount > 0 and w.balance_micros - g.amount < (wallet_bounds(w)).wanted_under as newly_wanted,
      g.amount > 0 and w.balance_micros - g.amount < (wallet_bounds(w)).top_up_under as top_up,
      p_approval and not g.simulated and w.approved_at is null as unapproved, w.suspended_at is not null as suspended,
      case when not g.simulated and g.amount > 0 then coalesce(w.day_limit_micros, p_day_limit) end as day_limit,
      case when w.spent_on = today then w.spent_micros else 0 end as spent,
      w.limit_told_on < today as limit_untold
    from unnest(p_accounts, p_amounts, p_causes, p_request_hashes, p_details, p_simulated)
      as g (account_id, amount, cause, request_hash, details, simulated)
    join wallets w on w.account_id = g.account_id
    where not p_fast_path or g.account_id in (select account_id from free)
    order by g.account_id for no key update of w
  ), judged as materialized (
    select j.*, case when j.outcome = 'posted' and j.amount > 0 then nextval('ledger_entries_id_seq') end as id
    from (
      select n.*, case
          when n.suspended then 'suspended'
          when n.unapproved then 'unapproved'
          when n.sandbox > 0 and not n.simulated and n.amount > 0 and n.amount > n.real_micros then 'sandbox'
          when n.rest < 0 then 'too-low'
          when n.spent + n.amount > n.day_limit then 'over-limit'
          when p_fast_path and (n.top_up or n.low or n.near) then 'needs-follow-up'
          else 'posted'
        end as outcome
      from (
        -- At 80 %.
        select g.*, coalesce(g.limit_untold and (g.spent + g.amount) * 5 >= g.day_limit * 4, false) as near
        from given g
      ) n
    ) j
  ), made as (
    insert into ledger_entries
      (id, account_id, kind, cause, request_hash, available_micros, balance_micros, sandbox_micros, real, details)
    overriding system value
    select j.id, j.account_id, 'CAPTURE', j.cause, j.request_hash, -j.amount, j.rest,
      case when j.simulated then -least(j.amount, j.sandbox) else 0 end, not j.simulated, j.details
    from judged j where j.id is not null
  ), postings as (
    insert into ledger_postings (entry_id, ledger, account_id, amount_micros)
    select j.id, side.ledger, j.account_id, side.sign * j.amount
    from judged j cross join (values ('AVAILABLE', -1), ('REVENUE', 1)) as side (ledger, sign)
    where j.id is not null
  ), marked as (
    update wallets w
    set auto_charge_asked_at = case when j.top_up then clock_timestamp() else w.auto_charge_asked_at end,
      -- What can't be asked for now stays wanted, as in ledger_post.
      auto_charge_wanted = w.auto_charge_wanted or j.newly_wanted,
      low_balance_told = w.low_balance_told or j.low,
      limit_told_on = case when j.near then today else w.limit_told_on end
    from judged j
    where w.account_id = j.account_id and j.id is not null and (j.top_up or j.low or j.newly_wanted or j.near)
  )
  select j.account_id, j.outcome, j.id,
    case j.outcome
      when 'posted' then j.rest
      when 'suspended' then -1
      when 'unapproved' then -1
      when 'sandbox' then j.real_micros
      when 'over-limit' then j.day_limit - j.spent
      else j.balance
    end,
    j.id is not null and j.top_up, j.id is not null and j.low,
    j.id is not null and j.near, j.day_limit
  from judged j;
  get diagnostics answered = row_count;
  if answered < cardinality(p_accounts) then
    return query
    select given, 'no-wallet', null::bigint, null::bigint, false, false, false, null::bigint
    from unnest(p_accounts) given
    where not exists (select from wallets w where w.account_id = given);
  end if;
end $$;
