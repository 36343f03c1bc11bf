-- Planned anew at each call, these took longer to plan than to run (1.5 ms of 2.4 for the messages of one commit).
-- They are bound to the indexes by their other settings, so one plan serves all.
alter function ledger_capture_each(uuid[], bigint[], text[], bytea[], jsonb[])
  set plan_cache_mode = force_generic_plan;
alter function ledger_apply_postings() set plan_cache_mode = force_generic_plan;
