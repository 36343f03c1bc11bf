with
  found as materialized (
    select
      lane_id,
      priority,
      account_id,
      due,
      id,
      cardinality(ids) as size
    from
      outbox_chunks
    where
      lane_id = 3
      and priority <= 0
      and due <= now()
      -- The lane may have recovered since it was found to be in trouble.
      and exists (
        select
        from
          lanes
        where
          id = 3
          and (
            down_since is not null
            or rejecting_since is not null
          )
      )
    order by
      priority
    limit
      1000
  ),
  cut as (
    select
      *,
      1000 - sum(size) over (
        order by
          priority,
          account_id,
          due,
          id rows unbounded preceding
      ) + size as room
    from
      found
  ),
  picked as materialized (
    select
      l.*,
      least(cardinality(l.ids), p.room)::int as taken
    from
      (
        select
          *
        from
          cut
        where
          room > 0
      ) p
      cross join lateral (
        select
          *
        from
          outbox_chunks l
        where
          l.lane_id = p.lane_id
          and l.priority = p.priority
          and l.account_id = p.account_id
          and l.due = p.due
          and l.id = p.id
        limit
          1
        for update
          skip locked
      ) l
  )
select
  m.id,
  p.lane_id as "laneId",
  p.priority,
  p.account_id as "accountId",
  p.due::text,
  p.id::text as "chunkId",
  m.recipient,
  case
    when message_device (m.sender) = '' then m.sender
  end as "from",
  m.channel,
  m.country,
  m.test,
  m.tried_lanes as tried,
  nullif(message_device (m.sender), '') as device
from
  picked p
  cross join lateral (
    select
      id,
      recipient,
      sender,
      channel,
      country,
      test,
      tried_lanes
    from
      messages
    where
      created_at = p.created_at
      and id = any (p.ids[:p.taken])
      and status = 'PENDING'
  ) m;
