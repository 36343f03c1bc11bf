/* prepared write-receipts */
with
  found as materialized (
    select
      given.*,
      m.*
    from
      unnest(
        coalesce('{3}'::int[], array_fill(null::int, array[null::int])),
        coalesce('{"smsc-1"}'::text[], array_fill(null::text, array[null::int])),
        coalesce(
          '{"2026-11-19T12:00:05.000Z"}'::timestamptz[],
          array_fill(null::timestamptz, array[null::int])
        ),
        coalesce('{null}'::timestamptz[], array_fill(null::timestamptz, array[null::int])),
        coalesce('{null}'::text[], array_fill(null::text, array[null::int]))
      ) as given (lane_id, provider_message_id, delivered_at, read_at, failed_code)
      left join lateral (
        select
          m.id,
          m.created_at,
          c.of_part,
          m.status as was,
          m.delivered_at as was_delivered,
          m.read_at as was_read
        from
          carrier_ids c
          join messages m on m.id = c.message_id
          and m.created_at = c.created_at
          and m.type = 'outgoing'
        where
          c.lane_id = given.lane_id
          and c.provider_message_id = given.provider_message_id
          and c.created_at > now() - 14 * interval '1 day'
          and c.created_at <= now()
        order by
          c.created_at desc
        limit
          1
      ) m on true
  ),
  changed as (
    update messages m
    set
      updated_at = now(),
      decided_from = null,
      status = case
        when f.failed_code is null then 'SUCCESS'
        else 'FAILED'
      end,
      error_code = coalesce(f.failed_code, ''),
      reason = case
        when f.failed_code is null then ''
        else 'The carrier reported that it was not delivered.'
      end,
      delivered_at = coalesce(m.delivered_at, f.delivered_at, f.read_at),
      read_at = coalesce(m.read_at, f.read_at)
    from
      found f
      -- The first two conditions hold for every row; they make the planner look up each row by its key.
    where
      f.created_at > '-infinity'
      and f.was > ''
      and m.id = f.id
      and m.created_at = f.created_at
      and f.of_part is null
      and m.status in ('PENDING', 'SUCCESS', 'FAILED_WITH_EXCEPTION')
      and case
        when f.failed_code is not null then m.delivered_at is null
        else m.status <> 'SUCCESS'
        or (
          m.delivered_at is null
          and f.delivered_at is not null
        )
        or (
          m.read_at is null
          and f.read_at is not null
        )
      end
    returning
      m.id,
      m.status,
      m.account_id,
      m.batch_id,
      m.channel,
      m.price_micros,
      m.delivered_at,
      m.read_at
  ),
  published as (
    insert into
      webhook_chunks (id, account_id, kind, message_ids, message_times, live, first_at, last_at, next_at)
    select
      webhook_chunk_id (
        (
          row_number() over (
            order by
              array_position(array['accepted', 'unknown', 'sent', 'failed', 'delivered', 'read', 'inbound'], kind),
              min(number)
          )
        )::int
      ),
      account_id,
      kind,
      array_agg(
        id
        order by
          number
      ),
      array_agg(
        created_at
        order by
          number
      ),
      count(*),
      min(created_at),
      max(created_at),
      clock_timestamp()
    from
      (
        select
          *,
          (
            row_number() over (
              partition by
                account_id,
                kind,
                hour
              order by
                number
            ) - 1
          ) / 100::int as part
        from
          (
            select
              given.account_id,
              given.kind,
              given.id,
              given.created_at,
              row_number() over () as number,
              date_trunc('hour', given.created_at) as hour
            from
              (
                select
                  f.account_id,
                  f.id,
                  f.created_at,
                  told.kind
                from
                  (
                    select
                      f.*,
                      c.account_id,
                      c.status,
                      c.delivered_at as is_delivered,
                      c.read_at as is_read
                    from
                      found f
                      join changed c on c.id = f.id
                  ) f
                  cross join lateral (
                    values
                      (
                        'sent',
                        f.status = 'SUCCESS'
                        and f.was <> 'SUCCESS'
                      ),
                      ('failed', f.status = 'FAILED'),
                      (
                        'delivered',
                        f.was_delivered is null
                        and f.is_delivered is not null
                      ),
                      (
                        'read',
                        f.was_read is null
                        and f.is_read is not null
                      )
                  ) as told (kind, happened)
                where
                  told.happened
              ) given
              join webhook_endpoints e on e.account_id = given.account_id
              and e.url <> ''
          ) numbered
      ) parted
    group by
      account_id,
      kind,
      hour,
      part
    returning
      webhook_wake (account_id)
  )
select
  lane_id as "laneId",
  provider_message_id as "providerMessageId",
  null::uuid as id,
  null::uuid as "accountId",
  null::uuid as "batchId",
  null as channel,
  null::bigint as "priceMicros",
  null::boolean as "ofPart",
  null as "createdAt"
from
  found
where
  id is null
union all
select
  lane_id,
  provider_message_id,
  id,
  null,
  null,
  null,
  null,
  of_part,
  created_at::text
from
  found
where
  of_part
union all
select
  0,
  '',
  id,
  account_id,
  batch_id,
  channel,
  price_micros,
  null,
  null
from
  changed
where
  status = 'FAILED';
