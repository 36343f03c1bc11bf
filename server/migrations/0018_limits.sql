-- Counters of rate-limiter-flexible, shared by all processes. Losing them in a crash only forgives some attempts.
create unlogged table rate_limits (
  key text primary key,
  points integer not null default 0,
  expire double precision
);
create index rate_limits_expire on rate_limits (expire);
