/* prepared claim-few */
with
  first as materialized (
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
      and due <= now()
      and (
        expires_at is null
        or expires_at > now()
      )
      and priority = 0
      and due >= '2026-11-19 12:00:00.123456+00'::timestamptz - '250 ms'::interval
      and exists (
        select
        from
          lanes held
          join workers w on w.id = held.worker_id
          and w.leased_until > now()
        where
          held.id = 3
          and held.leased_by = '00000000-0000-4000-8000-00000000000b'
      )
    order by
      due,
      id
    limit
      2001
  ),
  state as materialized (
    select
      case
        when count(*) > 2000 then 'many'
        when sum(size) > 500 then 'some'
        else 'none'
      end as "left",
      greatest(1, ceil(500::numeric / greatest(1, count(distinct account_id))))::int as share
    from
      first
  ),
  found as (
    select
      first.*,
      share
    from
      first
      cross join state
    where
      "left" <> 'many'
  ),
  fair as (
    select
      *,
      least(
        size,
        share - sum(size) over (
          partition by
            priority,
            account_id
          order by
            due,
            id rows unbounded preceding
        ) + size
      )::int as mine
    from
      found
  ),
  cut as (
    select
      *,
      least(
        mine,
        500 - sum(mine) over (
          order by
            priority,
            account_id,
            due,
            id rows unbounded preceding
        ) + mine
      )::int as taken
    from
      fair
    where
      mine > 0
  ),
  picked as materialized (
    select
      l.*,
      cardinality(l.ids) as size,
      least(p.taken, cardinality(l.ids))::int as taken
    from
      (
        select
          *
        from
          cut
        where
          taken > 0
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
  ),
  held as materialized (
    select
      p.*
    from
      picked p
    where
      outbox_take (p.lane_id, p.priority, p.account_id, p.due, p.id, p.taken)
  ),
  chosen as materialized (
    select
      m.*,
      p.id as chunk_id,
      row_number() over () as place
    from
      held p
      cross join lateral (
        select
          id,
          created_at,
          recipient,
          sender,
          message,
          subject,
          html,
          content,
          attempts,
          coalesce(jsonb_array_length(jsonb_path_query_array(tries, '$[*] ? (@.excused == true)')), 0) as uncounted
        from
          messages
        where
          created_at = p.created_at
          and id = any (p.ids[:p.taken])
          and status = 'PENDING'
          and unknown_since is null
      ) m
  ),
  claim as (
    insert into
      claims (lane_id, holder, ids, created_ats, attempts)
    select
      3,
      '00000000-0000-4000-8000-00000000000b',
      array_agg(id),
      array_agg(created_at),
      array_agg(attempts)
    from
      chosen
    having
      count(*) > 0
    returning
      id as claim_id,
      claimed_at
  )
select
  state."left",
  m.*
from
  state
  left join (
    select
      m.chunk_id::text as "chunkId",
      m.id,
      m.recipient,
      m.sender as "from",
      m.message as text,
      m.subject,
      m.html,
      m.content,
      m.attempts + 1 as attempts,
      m.uncounted,
      h.claim_id as "claimId",
      h.claimed_at::text as at,
      h.chunks
    from
      chosen m
      left join (
        select
          1 as place,
          claim.*,
          (
            select
              json_agg(
                json_build_object(
                  'chunkId',
                  id::text,
                  'priority',
                  priority,
                  'accountId',
                  account_id,
                  'due',
                  due::text,
                  'size',
                  size,
                  'createdAt',
                  created_at::text,
                  'month',
                  to_char(created_at at time zone 'UTC', 'YYYY_MM')
                )
              )
            from
              held
          ) as chunks
        from
          claim
      ) h on h.place = m.place
  ) m on true;
