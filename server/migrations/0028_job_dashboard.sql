-- What opens the pages of the job queue, by their hashes: a ticket works once, within a minute, and becomes a cookie.
create table job_passes (
  hash bytea primary key,
  kind text not null check (kind in ('ticket', 'cookie')),
  -- Of the admin's session, which it does not outlive.
  session_hash bytea not null,
  expires_at timestamptz not null
);
create index job_passes_expiry on job_passes (expires_at);
