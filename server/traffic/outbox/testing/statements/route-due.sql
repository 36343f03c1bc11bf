with
  given as materialized (
    select
      *
    from
      unnest(
        '{"7"}'::bigint[],
        '{"01890000-0000-7000-8000-000000000001"}'::uuid[],
        '{3}'::int[],
        '{"CHEAPEST"}'::text[],
        '{20000}'::bigint[]
      ) with ordinality as given (chunk_id, id, lane_id, why, cost, place)
  ),
  found as materialized (
    select
      l.*
    from
      outbox_chunks l
    where
      l.lane_id = 0
      and l.due <= now()
      and l.id = any ('{"7"}'::bigint[])
  ),
  gone as (
    delete from outbox_chunks l using found p
    where
      l.lane_id = p.lane_id
      and l.priority = p.priority
      and l.account_id = p.account_id
      and l.due = p.due
      and l.id = p.id
  ),
  put as (
    insert into
      outbox_chunks (lane_id, priority, account_id, due, batch_id, created_at, expires_at, tried_lanes, ids)
    select
      coalesce(given.lane_id, 0),
      p.priority,
      p.account_id,
      p.due,
      p.batch_id,
      p.created_at,
      p.expires_at,
      p.tried_lanes,
      array_agg(
        given.id
        order by
          given.place
      )
    from
      found p
      join given on given.chunk_id = p.id
      and given.id is not null
    group by
      coalesce(given.lane_id, 0),
      p.priority,
      p.account_id,
      p.due,
      p.id,
      p.batch_id,
      p.created_at,
      p.expires_at,
      p.tried_lanes
  )
update messages m
set
  lane_id = given.lane_id,
  lane_why = given.why,
  cost_micros = given.cost,
  not_before = m.scheduled_at,
  carrier = coalesce(
    m.carrier,
    (
      select
        coalesce(nullif(carrier, ''), aliases[1])
      from
        lanes
      where
        id = given.lane_id
    )
  )
from
  given
  join found p on p.id = given.chunk_id
where
  given.lane_id is not null
  and m.created_at = p.created_at
  and m.id = given.id
  and m.status = 'PENDING'
returning
  m.lane_id as "laneId";
