-- What the rules of server/office/retention removed, or would have. Kept: it names no person.
create table retention_log (
  id bigint generated always as identity primary key,
  rule text not null,
  period_days int not null,
  dry_run boolean not null,
  ran_at timestamptz not null,
  -- What was older was meant.
  cutoff timestamptz not null,
  -- It grows in the transactions that remove, so that it is right however a run ends.
  rows bigint not null default 0,
  -- The youngest of what was removed.
  up_to timestamptz,
  -- Null while it runs, and for good if it was cut off.
  ended_at timestamptz
);
create index retention_log_rule on retention_log (rule, id);
