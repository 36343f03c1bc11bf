-- More than one: events are sent as an array of up to this many.
alter table webhook_endpoints add column events_per_call int not null default 1
  check (events_per_call between 1 and 500);
