-- When the password was last typed in this session: what is most secret is shown for a short while after it. Sessions of
-- before are not confirmed.
alter table sessions add column confirmed_at timestamptz;
