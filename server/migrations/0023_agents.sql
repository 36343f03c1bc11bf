-- Programs beside modems, each with one outgoing connection to any web process. The agent chooses its id and its secret.
create table agents (
  id uuid primary key,
  name text not null,
  secret_hash bytea not null,
  version text not null,
  settings jsonb not null default '{}',
  joined_at timestamptz not null default now(),
  -- By its connection: while it is fresh, the agent is connected.
  seen_at timestamptz,
  -- The connection that counts: a newer one takes its place, whichever process it is at. Null: none.
  connection_id uuid,
  -- It can't connect any more. Its phones stay with it, and are down.
  removed_at timestamptz
);

-- One-time keys by which an agent joins.
create table agent_keys (
  key_hash bytea primary key,
  made_by uuid not null,
  made_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_by uuid references agents (id)
);

create table agent_modems (
  agent_id uuid not null references agents (id),
  name text not null,
  driver text not null check (driver in ('serial', 'gammu', 'android')),
  imsi text not null default '',
  phone_number text not null default '',
  -- The phone of the inventory whose SIM it has. A SIM is in one modem.
  phone_id uuid unique,
  -- A phone of another agent, if it says that it has its SIM: an operator has to confirm that it has moved.
  moved_phone_id uuid,
  moved_at timestamptz,
  up boolean not null default false,
  reason text not null default '',
  signal smallint,
  network text not null default '',
  primary key (agent_id, name)
);

-- What a worker hands to an agent, and the agent's answer: the worker serves the lane, another process may have the
-- agent's connection. A row goes when the message has its result.
create table agent_handovers (
  message_id uuid not null,
  attempt smallint not null,
  agent_id uuid not null references agents (id),
  modem text not null,
  recipient text not null,
  text text not null,
  -- The agent begins nothing after this.
  until timestamptz not null,
  -- To be given: it is withdrawn if nobody does within seconds.
  waits_since timestamptz not null default clock_timestamp(),
  -- Stored before it goes out on a connection: what was never given was certainly not sent.
  given_at timestamptz,
  outcome jsonb,
  answered_at timestamptz,
  primary key (message_id, attempt),
  check ((outcome is null) = (answered_at is null))
);
create index agent_handovers_open on agent_handovers (agent_id) where outcome is null;
create index agent_handovers_answered on agent_handovers (answered_at) where outcome is not null;
