with
  due as materialized (
    select
      l.due,
      l.id,
      l.account_id,
      l.created_at,
      l.ids,
      l.batch_id
    from
      outbox_chunks l
    where
      l.lane_id = 0
      and l.due <= now()
      and (l.due, l.id) > ('2026-11-19 12:00:00.123456+00'::timestamptz, '7'::bigint)
    order by
      l.due,
      l.id
    limit
      20
    for update
      skip locked
  )
select
  due.due::text,
  due.id::text as "chunkId",
  due.account_id as "accountId",
  b.channel,
  b.test,
  m.id,
  m.country,
  m.recipient,
  m.sender as "from",
  m.segment as segments,
  b.channel = 'whatsapp'
  and m.content -> 'template' is null as "isFreeText"
from
  due
  join batches b on b.id = due.batch_id
  cross join unnest(due.ids) with ordinality as one (id, place)
  left join messages m on m.id = one.id
  and m.created_at = due.created_at
  and m.status = 'PENDING'
order by
  due.due,
  due.id,
  one.place;
