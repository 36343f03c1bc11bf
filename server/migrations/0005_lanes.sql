-- Lanes are made, changed and removed while the program runs: by settings, by an admin, by a device or a phone. A row
-- is never deleted: messages refer to it.
create table lanes (
  id int generated always as identity primary key,
  name text not null unique,
  channel text not null check (channel in ('sms', 'whatsapp', 'email')),
  provider text not null,
  -- Whose network it goes out by, for the price list; '' when none in particular.
  carrier text not null default '',
  simulated boolean not null,
  -- Lower is preferred.
  preference int not null default 100,
  up boolean,
  -- Whether it has been up since its present holder took it: what was not, is being opened, and has lost nothing.
  was_up boolean not null default false,
  state_reason text not null default '',
  state_at timestamptz,
  -- New each time that a worker takes the lane. One worker at a time: a second connection to the same carrier is a
  -- second sender. The lease holds as long as the worker's own.
  leased_by uuid,
  -- Within how many hours of what a customer last wrote one may write freely to them; null: always.
  session_hours int check (session_hours > 0),
  -- The WhatsApp Business Account that it belongs to; '': none.
  waba text not null default '',
  -- What messages that name no sender are from, as the operator set it; '': the carrier's own choice, unknown to us.
  sender text not null default '',
  -- Lanes of one route take over from each other; a lane without one keeps its messages.
  route text not null default '',
  -- What the settings said last of these two: what an admin changes stays until they say something else.
  settings_preference int,
  settings_route text,
  -- Since when it has been down, or refusing all it is given for now: after a while its messages go elsewhere.
  down_since timestamptz,
  rejecting_since timestamptz,
  source text not null default 'settings' check (source in ('settings', 'admin', 'device', 'phone')),
  -- What the operator wants. 'draining': sends what waits, gets nothing new. 'removed': kept for its messages only.
  mode text not null default 'on' check (mode in ('on', 'paused', 'draining', 'removed')),
  -- Workers of this place serve it; '': of any.
  place text not null default '',
  -- Counted up by each change that a worker has to open the carrier again for.
  revision int not null default 1,
  -- Of a lane that settings don't describe: the options of its provider, sealed because they hold secrets.
  sealed_options bytea,
  -- ISO codes; none: every country.
  countries text[] not null default '{}',
  -- Only these accounts may use it; none: every account.
  dedicated_to uuid[] not null default '{}',
  -- At most this many messages in any such window; null: no limit.
  throttle_ten_minutes int check (throttle_ten_minutes >= 0),
  throttle_one_hour int check (throttle_one_hour >= 0),
  throttle_eight_hours int check (throttle_eight_hours >= 0),
  throttle_one_day int check (throttle_one_day >= 0),
  -- What the operator pays for a segment, a WhatsApp message or an email; by country where it differs.
  cost_micros bigint not null default 0 check (cost_micros >= 0),
  country_costs jsonb not null default '{}',
  worker_id uuid,
  -- When its last holder gave it back.
  released_at timestamptz default now(),
  -- Of a way out of a phone: which phone, and how it sends ('sim-modem', 'gammu', 'sim-web' or 'whatsapp').
  phone_id uuid,
  phone_name text not null default '',
  method text not null default '',
  -- Of a phone, for routing: messages a day that suit it (0: any), its share, since when it sends, the hours in which it
  -- serves everybody, how many people it may write to in 24 hours, and networks that it reaches as its own.
  ideal_volume int not null default 0,
  transfer_rate float8 not null default 1,
  started_at timestamptz,
  shared_from smallint,
  shared_to smallint,
  most_recipients int,
  aliases text[] not null default '{}',
  check ((source = 'phone') = (phone_id is not null))
);
-- A phone has one lane a method.
create unique index lanes_phone on lanes (phone_id, method);

-- How the lanes of a named route share messages; a route without a row takes the cheapest.
create table lane_routes (
  name text primary key check (name <> ''),
  policy text not null check (policy in ('cheapest', 'spread'))
);

-- A worker process. Its lease covers all lanes that it holds, so that keeping 2,000 of them writes one row.
create table workers (
  id uuid primary key,
  -- The operator's name for it; the next process of this name follows it.
  name text not null,
  place text not null,
  started_at timestamptz not null default now(),
  leased_until timestamptz not null,
  -- From its first look at the lanes on; before, it takes none and has no share of them.
  serving boolean not null,
  -- Whether all that it hands to carriers is in its journal, a file on its machine: then a restart there knows which of
  -- its claims were never handed over.
  journaled boolean not null default false
);

-- Which workers have settings for a lane: only these can serve it.
create table lane_settings (
  lane_id int not null references lanes (id),
  worker_id uuid not null references workers (id) on delete cascade,
  primary key (worker_id, lane_id)
);
create index lane_settings_lane on lane_settings (lane_id);

-- Whom a phone has written to, and when last: people stay with the phone that they know. Only a hash of their number.
create table lane_recipients (
  lane_id int not null references lanes (id),
  recipient bigint not null,
  last_at timestamptz not null,
  primary key (recipient, lane_id)
);
create index lane_recipients_lane on lane_recipients (lane_id, last_at);

-- How many messages a throttled lane or a phone sent, by the minute.
create table lane_sends (
  lane_id int not null references lanes (id),
  minute timestamptz not null,
  sent int not null
);
create index lane_sends_lane on lane_sends (lane_id, minute);
