/* prepared write-results */
with
  emptied as (
    delete from claims
    where
      id = any ('{5}'::bigint[])
    returning
      id
  ),
  written as (
    update "messages" m
    set
      status = r.status,
      reason = r.reason,
      error_code = r.code,
      updated_at = now(),
      attempts = r.attempts,
      provider_message_id = coalesce(r.provider_message_id, m.provider_message_id),
      sent_at = case
        when r.status = 'SUCCESS' then to_timestamp(r.at / 1000)
      end,
      unknown_since = case
        when r.unknown then now()
      end,
      not_before = r.not_before,
      claimed_at = case
        when r.unknown then r.claimed_at
      end,
      tries = case
        when r.not_before is null then m.tries
        else coalesce(m.tries, '[]') || (
          jsonb_build_object(
            'at',
            to_timestamp(r.at / 1000),
            'lane',
            m.lane_id,
            'code',
            r.code,
            'reason',
            r.reason,
            'attempt',
            r.attempts
          ) || case
            when r.uncounted then jsonb '{"excused": true}'
            else '{}'
          end
        )
      end
    from
      unnest(
        coalesce(
          '{"01890000-0000-7000-8000-000000000001"}'::uuid[],
          array_fill(null::uuid, array[null::int])
        ),
        coalesce(
          '{"2026-11-19 12:00:00.123456+00"}'::timestamptz[],
          array_fill(null::timestamptz, array[null::int])
        ),
        coalesce('{1}'::smallint[], array_fill(null::smallint, array[null::int])),
        coalesce('{"PENDING"}'::text[], array_fill(null::text, array[null::int])),
        coalesce('{"smsc-1"}'::text[], array_fill(null::text, array[null::int])),
        coalesce('{""}'::text[], array_fill(null::text, array[null::int])),
        coalesce('{""}'::text[], array_fill(null::text, array[null::int])),
        coalesce('{1795090000000}'::float8[], array_fill(null::float8, array[null::int])),
        coalesce(
          '{"2026-11-19T12:01:00.000Z"}'::timestamptz[],
          array_fill(null::timestamptz, array[null::int])
        ),
        coalesce(
          '{"2026-11-19 12:00:00.123456+00"}'::timestamptz[],
          array_fill(null::timestamptz, array[null::int])
        ),
        coalesce('{false}'::boolean[], array_fill(null::boolean, array[null::int])),
        coalesce('{false}'::boolean[], array_fill(null::boolean, array[null::int]))
      ) as r (
        id,
        created_at,
        attempts,
        status,
        provider_message_id,
        reason,
        code,
        at,
        not_before,
        claimed_at,
        unknown,
        uncounted
      )
      -- A claim is locked before its messages.
    where
      (
        select
          count(*)
        from
          emptied
      ) >= 0
      and r.attempts > 0
      and r.at > 0
      and m.id = r.id
      and m.created_at = r.created_at
      and m.attempts = r.attempts - 1
      and (
        m.status = 'PENDING'
        or (
          m.status = 'FAILED_WITH_EXCEPTION'
          and m.error_code = 'E_UNKNOWN_OUTCOME'
          and r.status <> 'PENDING'
        )
      )
      -- Don't overwrite what receipts have reported about parts meanwhile.
    returning
      m.id,
      m.created_at,
      m.lane_id,
      m.status,
      m.provider_message_id,
      m.account_id,
      m.batch_id,
      m.channel,
      m.price_micros
  ),
  named as (
    insert into
      "carrier_ids" (lane_id, provider_message_id, created_at, message_id)
    select
      lane_id,
      provider_message_id,
      created_at,
      id
    from
      written
    where
      status = 'SUCCESS'
      and provider_message_id is not null
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
                  account_id,
                  id,
                  created_at,
                  case status
                    when 'SUCCESS' then 'sent'
                    else 'failed'
                  end as kind
                from
                  written
                where
                  status <> 'PENDING'
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
  id,
  lane_id as "laneId",
  status,
  account_id as "accountId",
  batch_id as "batchId",
  channel,
  price_micros as "priceMicros",
  case
    when early then provider_message_id
  end as early
from
  (
    select
      *,
      status = 'SUCCESS'
      and (
        select
          exists (
            select
            from
              early_receipts
          )
      )
      and exists (
        select
        from
          early_receipts e
        where
          e.lane_id = written.lane_id
          and e.provider_message_id = written.provider_message_id
      ) as early
    from
      written
  ) written
where
  status <> 'SUCCESS'
  or early;
