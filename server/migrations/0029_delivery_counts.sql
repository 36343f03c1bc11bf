-- How many messages were delivered, by the hour (UTC) in which they were made. Rows are only added, as those of
-- message_counts are, and folded by the same task. Messages that the test secret sent are not counted.
create table delivery_counts (
  hour timestamptz not null,
  account_id uuid not null,
  messages int not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
create index delivery_counts_account on delivery_counts (account_id, hour) include (messages);

-- A delivery is never taken back: a statement that makes none is known by as many being delivered as before.
create function delivery_counts_add() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into delivery_counts
    select date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00'), account_id, count(*) from after_rows
    where delivered_at is not null and type = 'outgoing' and not (test and price_micros = 0) group by 1, 2;
    return null;
  end if;
  if (select count(delivered_at) from before_rows) = (select count(delivered_at) from after_rows) then
    return null;
  end if;
  insert into delivery_counts
  select date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00'), account_id, sum(sign)
  from (
    select 1 as sign, account_id, created_at from after_rows
    where delivered_at is not null and type = 'outgoing' and not (test and price_micros = 0)
    union all
    select -1, account_id, created_at from before_rows
    where delivered_at is not null and type = 'outgoing' and not (test and price_micros = 0)
  ) delivered
  group by 1, 2 having sum(sign) <> 0;
  return null;
end $$;
create trigger delivery_counts_insert after insert on messages
  referencing new table as after_rows for each statement execute function delivery_counts_add();
create trigger delivery_counts_update after update on messages
  referencing old table as before_rows new table as after_rows
  for each statement execute function delivery_counts_add();

insert into delivery_counts
select date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00'), account_id, count(*)
from messages
where delivered_at is not null and type = 'outgoing' and not (test and price_micros = 0) group by 1, 2;
