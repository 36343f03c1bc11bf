-- Since when a lane has been down, or refusing all it is given for now: after a while its messages go elsewhere.
alter table lanes
  -- Lanes of one route take over from each other; a lane without one keeps its messages.
  add column route text not null default '',
  add column down_since timestamptz,
  add column rejecting_since timestamptz;

alter table messages
  -- Lanes that it has left; it never comes back to one.
  add column tried_lanes int[] not null default '{}',
  -- How often it was tried before it came to its lane.
  add column attempts_before smallint not null default 0,
  -- Why it changed lanes, oldest first: [{at, from, to, why, code}], lanes by their id. Null as long as it did not.
  add column route jsonb;
