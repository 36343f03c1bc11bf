-- Lanes are made, changed and removed while the program runs: by settings, by an admin, by a device or a phone.
alter table lanes
  add column source text not null default 'settings' check (source in ('settings', 'admin', 'device', 'phone')),
  -- What the operator wants. 'draining': sends what waits, gets nothing new. 'removed': kept for its messages only.
  add column mode text not null default 'on' check (mode in ('on', 'paused', 'draining', 'removed')),
  -- Workers of this place serve it; '': of any.
  add column place text not null default '',
  -- Counted up by each change that a worker has to open the carrier again for.
  add column revision int not null default 1,
  -- Of a lane that settings don't describe: the options of its provider, sealed because they hold secrets.
  add column sealed_options bytea,
  -- ISO codes; none: every country.
  add column countries text[] not null default '{}',
  -- Only these accounts may use it; none: every account.
  add column dedicated_to uuid[] not null default '{}',
  -- At most this many messages in any such window; null: no limit.
  add column throttle_ten_minutes int check (throttle_ten_minutes >= 0),
  add column throttle_one_hour int check (throttle_one_hour >= 0),
  add column throttle_eight_hours int check (throttle_eight_hours >= 0),
  add column throttle_one_day int check (throttle_one_day >= 0),
  -- What the operator pays for a segment, a WhatsApp message or an email; by country where it differs.
  add column cost_micros bigint not null default 0 check (cost_micros >= 0),
  add column country_costs jsonb not null default '{}';
update lanes set mode = 'removed' where not active;
alter table lanes drop column active;
