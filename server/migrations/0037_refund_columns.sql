-- What a bill sums of refunds, so that it is read from an index alone: an account may have thousands a month.
alter table ledger_entries
  add column refund_channel text
    generated always as (case when kind = 'REFUND' then coalesce(details->>'channel', 'sms') end) stored,
  add column refund_messages int
    generated always as (case when kind = 'REFUND' then coalesce((details->>'messages')::int, 0) end) stored;
create index ledger_entries_refunds on ledger_entries (account_id, created_at)
  include (refund_channel, refund_messages, available_micros) where kind = 'REFUND';
