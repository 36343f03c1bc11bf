/* prepared accept */
with
  used as materialized (
    select
      k.account_id,
      k.key
    from
      unnest('{"00000000-0000-4000-8000-00000000000a"}'::uuid[], '{"order-1"}'::text[]) as given (account_id, key)
      join idempotency_keys k on k.account_id = given.account_id
      and k.key = given.key
  ),
  opting as materialized (
    select
      given.id
    from
      unnest('{"00000000-0000-4000-8000-00000000000a"}'::uuid[]) as given (id)
      cross join lateral (
        select
        from
          opt_outs o
        where
          o.account_id = given.id
        limit
          1
      ) any_one
  ),
  charged as materialized (
    select
      made.*
    from
      (
        select
          array_agg(account_id) as accounts,
          array_agg(amount) as amounts,
          array_agg(cause) as causes,
          array_agg(request_hash) as hashes,
          array_agg(details) as details,
          array_agg(simulated) as simulated
        from
          unnest(
            '{"00000000-0000-4000-8000-00000000000a"}'::uuid[],
            '{32051}'::bigint[],
            '{"batch:01890000-0000-7000-8000-000000000002"}'::text[],
            '{"\\x49bd1394eefa6585c53c2e8f5dff8f650931f93992ccecff82595559ff3e6ffe"}'::bytea[],
            '{"{\"channel\":\"sms\",\"messages\":1}"}'::jsonb[],
            '{false}'::boolean[]
          ) as given (account_id, amount, cause, request_hash, details, simulated)
        where
          not (
            given.account_id in (
              select
                account_id
              from
                used
            )
            or given.account_id in (
              select
                id
              from
                opting
            )
          )
      ) as wanted
      cross join lateral ledger_capture_each (
        accounts,
        amounts,
        causes,
        hashes,
        details,
        simulated,
        true::boolean,
        true::boolean,
        100000000::bigint
      ) as made
  ),
  accepted as materialized (
    select
      account_id,
      entry_id,
      balance_micros
    from
      charged
    where
      outcome = 'posted'
  ),
  made as (
    insert into
      batches (
        id,
        account_id,
        channel,
        kind,
        test,
        capture_id,
        accepted,
        total_micros,
        scheduled_at,
        by_page,
        file_name
      )
    select
      b.id,
      b.account_id,
      b.channel,
      b.kind,
      b.test,
      accepted.entry_id,
      b.accepted,
      b.total,
      b.scheduled_at,
      b.by_page,
      b.file_name
    from
      unnest(
        '{"01890000-0000-7000-8000-000000000002"}'::uuid[],
        '{"00000000-0000-4000-8000-00000000000a"}'::uuid[],
        '{"sms"}'::text[],
        '{"API"}'::text[],
        '{false}'::boolean[],
        '{1}'::int[],
        '{32051}'::bigint[],
        '{null}'::timestamptz[],
        '{false}'::boolean[],
        '{""}'::text[]
      ) as b (id, account_id, channel, kind, test, accepted, total, scheduled_at, by_page, file_name)
      join accepted on accepted.account_id = b.account_id
  ),
  put as (
    insert into
      messages (
        id,
        account_id,
        batch_id,
        lane_id,
        channel,
        type,
        status,
        recipient_raw,
        recipient,
        country,
        sender,
        message,
        subject,
        html,
        segment,
        price_micros,
        lane_why,
        cost_micros,
        test,
        priority,
        scheduled_at,
        expires_at,
        created_at,
        updated_at,
        identifier,
        carrier
      )
    select
      m.id,
      b.account_id,
      b.id,
      m.lane_id,
      b.channel,
      'outgoing',
      'PENDING',
      m.recipient_raw,
      m.recipient,
      m.country,
      m.sender,
      m.message,
      m.subject,
      m.html,
      m.segment,
      m.price_micros,
      m.lane_why,
      m.cost_micros,
      b.test,
      case b.kind
        when 'API' then 0
        else 1
      end,
      b.scheduled_at,
      b.expires_at,
      now(),
      now(),
      m.identifier,
      m.carrier
    from
      unnest(
        coalesce(
          '{"01890000-0000-7000-8000-000000000001"}'::uuid[],
          array_fill(null::uuid, array[null::int])
        ),
        coalesce(
          '{"01890000-0000-7000-8000-000000000002"}'::uuid[],
          array_fill(null::uuid, array[null::int])
        ),
        coalesce('{3}'::int[], array_fill(null::int, array[null::int])),
        coalesce('{"5123 4567"}'::text[], array_fill(null::text, array[null::int])),
        coalesce('{"+85251234567"}'::text[], array_fill(null::text, array[null::int])),
        coalesce('{"HK"}'::text[], array_fill(null::text, array[null::int])),
        coalesce('{null}'::text[], array_fill(null::text, array[null::int])),
        coalesce('{"Hello"}'::text[], array_fill(null::text, array[null::int])),
        coalesce('{null}'::text[], array_fill(null::text, array[null::int])),
        coalesce('{null}'::text[], array_fill(null::text, array[null::int])),
        coalesce('{1}'::int[], array_fill(null::int, array[null::int])),
        coalesce('{32051}'::bigint[], array_fill(null::bigint, array[null::int])),
        coalesce('{"CHEAPEST"}'::text[], array_fill(null::text, array[null::int])),
        coalesce('{20000}'::bigint[], array_fill(null::bigint, array[null::int])),
        coalesce('{null}'::text[], array_fill(null::text, array[null::int])),
        coalesce('{"csl"}'::text[], array_fill(null::text, array[null::int]))
      ) as m (
        id,
        batch_id,
        lane_id,
        recipient_raw,
        recipient,
        country,
        sender,
        message,
        subject,
        html,
        segment,
        price_micros,
        lane_why,
        cost_micros,
        identifier,
        carrier
      )
      join unnest(
        '{"01890000-0000-7000-8000-000000000002"}'::uuid[],
        '{"00000000-0000-4000-8000-00000000000a"}'::uuid[],
        '{"sms"}'::text[],
        '{"API"}'::text[],
        '{false}'::boolean[],
        '{null}'::timestamptz[],
        '{null}'::timestamptz[]
      ) as b (id, account_id, channel, kind, test, scheduled_at, expires_at) on b.id = m.batch_id
      join accepted on accepted.account_id = b.account_id
    returning
      account_id,
      id,
      created_at
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
                  *,
                  'accepted' as kind
                from
                  put
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
  ),
  answered as (
    insert into
      idempotency_keys (account_id, key, request_hash, answer)
    select
      given.account_id,
      given.key,
      given.request_hash,
      left(given.answer, -1) || ',"balance":' || trim_scale(accepted.balance_micros / 1000000.0) || '}'
    from
      unnest(
        '{"00000000-0000-4000-8000-00000000000a"}'::uuid[],
        '{"order-1"}'::text[],
        '{"\\x0a"}'::bytea[],
        string_to_array('{"status":"PENDING"}'::text, chr(10))
      ) as given (account_id, key, request_hash, answer)
      join accepted on accepted.account_id = given.account_id
    order by
      given.account_id,
      given.key
  )
select
  charged.*,
  (
    select
      json_agg(json_build_array(account_id, key))
    from
      used
  ) as used,
  (
    select
      json_agg(id)
    from
      opting
  ) as opting
from
  (
    values
      (1)
  ) as one
  left join charged on true;
