alter table messages
  -- Why it got its first lane; null while it has none.
  add column lane_why text,
  -- What the operator pays for it on its lane.
  add column cost_micros bigint not null default 0;
