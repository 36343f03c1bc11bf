-- The inventory: one row a SIM or WhatsApp number in a phone. Its ways out are lanes of the room lanes, which come and
-- go with its flags. A phone is never deleted: messages refer to it. One that was given back has RELEASED in its remark.
create table phones (
  id uuid primary key,
  name text not null unique check (name <> ''),
  phone_number text not null default '',
  imsi text not null default '',
  -- The agent that drives its modem. Null: none has reported its SIM; then it is simulated.
  agent_id uuid,
  remark text not null default '',
  created_at timestamptz not null default now(),
  started_at timestamptz,
  last_heartbeat_at timestamptz,
  -- The last day on which the SIM works.
  valid_until date,
  latest_top_up_at timestamptz,
  sim_host text not null default '',
  whatsapp_host text not null default '',
  whatsapp_host_port text not null default '',
  whatsapp_web_host text not null default '',
  port text not null default '',
  slot text,
  setting jsonb not null default '{}',
  transfer_job_rate float8 not null default 1 check (transfer_job_rate >= 0),
  carrier_aliases text[] not null default '{}',
  whatsapp_active boolean not null default false,
  whatsapp_suspended boolean not null default false,
  sms_active boolean not null default false,
  sms_suspended boolean not null default false,
  sms_web_active boolean not null default false,
  sms_web_suspended boolean not null default false,
  throttle_ten_minutes int check (throttle_ten_minutes >= 0),
  throttle_one_hour int check (throttle_one_hour >= 0),
  throttle_eight_hours int check (throttle_eight_hours >= 0),
  throttle_one_day int check (throttle_one_day >= 0),
  -- What was last known of the SIM's balance, and what messages had cost in all by then: the difference to `cost_micros`
  -- is what they have cost since.
  balance_micros bigint,
  balance_cost_micros bigint not null default 0,
  -- Sums of phone_days.
  sent bigint not null default 0,
  cost_micros bigint not null default 0
);

-- What a phone sent on a day of the installation's time zone; written anew while the day's counts may change.
create table phone_days (
  phone_id uuid not null references phones (id),
  day date not null,
  sent int not null,
  -- Without those that failed.
  net int not null,
  cost_micros bigint not null,
  primary key (day, phone_id)
);

create table phone_balances (
  phone_id uuid not null references phones (id),
  at timestamptz not null default now(),
  balance_micros bigint not null,
  kind text not null check (kind in ('reported', 'entered', 'recharge'))
);
create index phone_balances_phone on phone_balances (phone_id, at);
