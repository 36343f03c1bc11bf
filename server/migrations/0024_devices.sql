-- Customers' own WhatsApp numbers. Each is a lane of its account (lanes.source = 'device', of the same name), which is
-- on while the device is wanted. Whether it is connected, and by which worker, is in the lane's row. A row is never
-- deleted: messages refer to it.
create table devices (
  id uuid primary key,
  -- What its owner calls it, and the name of its lane.
  device_id text not null unique,
  account_id uuid not null references accounts (id),
  lane_id int not null unique references lanes (id),
  country text not null check (country in ('HK', 'CN', 'SG', 'US', 'PH', 'KH')),
  type text not null check (type in ('whatsapp')),
  phone_name text not null,
  created_at timestamptz not null default now(),
  -- What its owner, or whatever ended it, wants of it.
  wanted text not null default 'RUNNING' check (wanted in ('RUNNING', 'STOPPED')),
  -- Why it is not wanted any more without its owner's doing.
  ended text check (ended in ('PAIRING_UNUSED', 'LOGGED_OUT', 'PHONE_LOST', 'BANNED')),
  -- When it was last started, stopped or ended.
  changed_at timestamptz not null default now(),
  -- In E.164, and what its owner is called at WhatsApp; '' before it was paired.
  phone_number text not null default '',
  display_name text not null default '',
  -- Since when it has been paired with this number: its age for the governor. Null: it has to be paired.
  paired_at timestamptz,
  -- The number on whose phone a code is typed; '': a QR code is scanned.
  pair_by_code_of text not null default '',
  -- While it waits to be paired: {kind, text, expiresAt, attempt, attempts}.
  pairing jsonb,
  -- The process that drives it, as its driver calls it; '' if it has none. It counts while a worker holds the lane.
  port text not null default '',
  -- WhatsApp warned: nothing is sent until then.
  warned_until timestamptz,
  deleted_at timestamptz,
  -- Of a deleted one: the device that has its messages now; null: they are cancelled.
  moved_to text,
  check (wanted = 'STOPPED' or ended is null)
);
create index devices_account on devices (account_id, created_at);

-- What makes a device the same one for WhatsApp: its driver's files, sealed.
create table device_sessions (
  device_id uuid primary key references devices (id),
  sealed bytea not null,
  stored_at timestamptz not null default now()
);

-- Files that came with incoming messages, until the room media has fetched them; a day at most.
create table device_files (
  id uuid primary key,
  device_id uuid not null references devices (id),
  mime_type text not null,
  bytes bytea not null,
  received_at timestamptz not null default now()
);
create index device_files_received on device_files (received_at);

-- What a governed device has sent on a day of its country, and how many of these began a chat. Counted before a message
-- is handed over, so that no worker that takes over exceeds the day's budget.
create table device_days (
  device_id uuid not null references devices (id),
  day date not null,
  sent int not null,
  new_contacts int not null,
  primary key (device_id, day)
);
