with
  given as materialized (
    select
      *
    from
      unnest(
        '{3}'::int[],
        '{0}'::smallint[],
        '{"00000000-0000-4000-8000-00000000000a"}'::uuid[],
        '{"2026-11-19 12:00:00.123456+00"}'::timestamptz[],
        '{"7"}'::bigint[],
        '{"01890000-0000-7000-8000-000000000001"}'::uuid[],
        '{4}'::int[]
      ) as g (lane_id, priority, account_id, due, id, message_id, to_lane)
  ),
  parted as materialized (
    select
      p.*,
      l.batch_id,
      l.created_at,
      l.expires_at,
      l.tried_lanes,
      (
        select
          array_agg(
            one.id
            order by
              one.place
          )
        from
          unnest(l.ids) with ordinality as one (id, place)
        where
          one.id <> all (p.out_ids)
      ) as left_ids
    from
      (
        select
          lane_id,
          priority,
          account_id,
          due,
          id,
          array_agg(message_id) as out_ids
        from
          given
        group by
          lane_id,
          priority,
          account_id,
          due,
          id
      ) p
      join outbox_chunks l on l.lane_id = p.lane_id
      and l.priority = p.priority
      and l.account_id = p.account_id
      and l.due = p.due
      and l.id = p.id
  ),
  gone as (
    delete from outbox_chunks l using parted p
    where
      l.lane_id = p.lane_id
      and l.priority = p.priority
      and l.account_id = p.account_id
      and l.due = p.due
      and l.id = p.id
      and p.left_ids is null
  ),
  kept as (
    update outbox_chunks l
    set
      ids = p.left_ids
    from
      parted p
    where
      l.lane_id = p.lane_id
      and l.priority = p.priority
      and l.account_id = p.account_id
      and l.due = p.due
      and l.id = p.id
      and p.left_ids is not null
  ),
  out as materialized (
    select
      g.message_id,
      g.to_lane,
      p.*
    from
      given g
      join parted p using (lane_id, priority, account_id, due, id)
  ),
  moved as (
    insert into
      outbox_chunks (lane_id, priority, account_id, due, batch_id, created_at, expires_at, tried_lanes, ids)
    select
      to_lane,
      priority,
      account_id,
      due,
      batch_id,
      created_at,
      expires_at,
      tried_lanes || lane_id,
      array_agg(
        message_id
        order by
          message_id
      )
    from
      out
    group by
      to_lane,
      priority,
      account_id,
      due,
      batch_id,
      created_at,
      expires_at,
      tried_lanes,
      lane_id,
      id
  )
update messages m
set
  lane_id = n.id,
  tried_lanes = m.tried_lanes || m.lane_id,
  attempts_before = m.attempts,
  updated_at = now(),
  cost_micros = m.segment * coalesce((n.country_costs ->> m.country)::bigint, n.cost_micros),
  route = coalesce(m.route, '[]') || jsonb_build_array(
    jsonb_build_object(
      'at',
      now(),
      'from',
      m.lane_id,
      'to',
      n.id,
      'why',
      'LANE_DOWN'::text,
      'code',
      m.error_code
    )
  )
from
  out
  join lanes n on n.id = out.to_lane
where
  m.created_at = out.created_at
  and m.id = out.message_id
  and m.status = 'PENDING';
