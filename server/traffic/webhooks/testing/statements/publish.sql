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
              coalesce(created_at, now()) as created_at,
              kind
            from
              unnest(
                coalesce(
                  '{"00000000-0000-4000-8000-00000000000a"}'::uuid[],
                  array_fill(null::uuid, array[null::int])
                ),
                coalesce(
                  '{"01890000-0000-7000-8000-000000000001"}'::uuid[],
                  array_fill(null::uuid, array[null::int])
                ),
                coalesce(
                  '{"2026-11-19 12:00:00.123456+00"}'::timestamptz[],
                  array_fill(null::timestamptz, array[null::int])
                ),
                coalesce('{"delivered"}'::text[], array_fill(null::text, array[null::int]))
              ) as given (account_id, id, created_at, kind)
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
  webhook_wake (account_id);
