-- A worker process. Its lease covers all lanes that it holds, so that keeping 2,000 of them writes one row.
create table workers (
  id uuid primary key,
  -- The operator's name for it; the next process of this name follows it.
  name text not null,
  place text not null,
  started_at timestamptz not null default now(),
  leased_until timestamptz not null,
  -- From its first look at the lanes on; before, it takes none and has no share of them.
  serving boolean not null
);

-- Which workers have settings for a lane: only these can serve it.
create table lane_settings (
  lane_id int not null references lanes (id),
  worker_id uuid not null references workers (id) on delete cascade,
  primary key (worker_id, lane_id)
);
create index lane_settings_lane on lane_settings (lane_id);

-- leased_by is new each time that a worker takes the lane. The lease holds as long as the worker's own.
alter table lanes
  drop column leased_until,
  add column worker_id uuid,
  -- When its last holder gave it back.
  add column released_at timestamptz default now();
update lanes set leased_by = null;

-- How many messages a throttled lane sent, by the minute.
create table lane_sends (
  lane_id int not null references lanes (id),
  minute timestamptz not null,
  sent int not null
);
create index lane_sends_lane on lane_sends (lane_id, minute);
