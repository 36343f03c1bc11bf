select
  m.id,
  m.batch_id as "batchId",
  m.account_id as "accountId",
  m.type,
  m.channel,
  m.status,
  m.recipient,
  m.sender,
  m.message,
  m.subject,
  m.segment,
  m.price_micros as "priceMicros",
  m.test,
  m.identifier,
  m.reason,
  m.error_code as "errorCode",
  m.created_at as "createdAt",
  m.updated_at as "updatedAt",
  m.scheduled_at as "scheduledAt",
  m.sent_at as "sentAt",
  m.delivered_at as "deliveredAt",
  m.read_at as "readAt",
  m.provider_message_id as "providerMessageId",
  m.content,
  m.carrier,
  l.waba,
  l.provider,
  l.phone_id as "phoneId",
  l.phone_name as "phoneName",
  l.method,
  l.sender as "laneSender",
  case
    when l.source = 'device' then l.name
  end as device,
  case
    when m.route is not null then (
      select
        case source
          when 'device' then name
          when 'phone' then phone_name
        end
      from
        lanes
      where
        id = (m.route -> 0 ->> 'from')::int
    )
  end as "originalDevice",
  case
    when m.tries is not null then (
      select
        min(tried ->> 'at')
      from
        jsonb_array_elements(m.tries) tried
      where
        tried ->> 'code' = 'DEVICE_NEW_CONTACTS'
    )
  end as "newChatAt",
  counted
from
  (
    select
      m.id,
      m.created_at,
      count(*) over ()::int as counted
    from
      (
        select
          id,
          created_at
        from
          message_texts
        where
          created_at >= '2026-11-01T00:00:00.000Z'
          and created_at < '2026-11-19T12:00:00.000Z'
          and account_id = '00000000-0000-4000-8000-00000000000a'
          and strpos(text, lower('hello')) > 0
        union all
        select
          id,
          created_at
        from
          messages
        where
          created_at >= '2026-11-19T12:00:00.000Z'
          and created_at < '2026-12-01T00:00:00.000Z'
          and account_id = '00000000-0000-4000-8000-00000000000a'
          and strpos(lower(message), lower('hello')) > 0
      ) m
    order by
      m.created_at desc,
      m.id desc
    limit
      20
    offset
      0
  ) page
  join messages m on m.id = page.id
  and m.created_at = page.created_at
  left join lanes l on l.id = m.lane_id
order by
  m.created_at desc,
  m.id desc;
