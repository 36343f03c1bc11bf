-- What a bill and a statement add up besides the captures, which are many and come from the counters.
create index ledger_entries_besides_captures on ledger_entries (account_id, created_at)
  include (kind, available_micros) where kind <> 'CAPTURE';
