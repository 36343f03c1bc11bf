with
  taken as (
    delete from lane_counts c using (
      select distinct
        hour,
        lane_id
      from
        lane_counts
      where
        not summed
        and hour >= now() - make_interval(hours => 48)
    ) many
    where
      c.hour = many.hour
      and c.lane_id = many.lane_id
    returning
      c.*
  ),
  added as (
    insert into
      lane_sums
    select
      date_bin('8 hours', hour, timestamptz '2000-01-01 00:00+00'),
      lane_id,
      channel,
      status,
      country,
      carrier,
      sum(messages),
      sum(price_micros),
      sum(cost_micros)
    from
      taken
    where
      not summed
      and type = 'outgoing'
    group by
      1,
      2,
      3,
      4,
      5,
      6
    having
      sum(messages) <> 0
      or sum(price_micros) <> 0
      or sum(cost_micros) <> 0
    order by
      1,
      2,
      3,
      4,
      5,
      6
    on conflict (since, lane_id, channel, status, country, carrier) do update
    set
      messages = lane_sums.messages + excluded.messages,
      price_micros = lane_sums.price_micros + excluded.price_micros,
      cost_micros = lane_sums.cost_micros + excluded.cost_micros
  )
insert into
  lane_counts
select
  hour,
  lane_id,
  channel,
  type,
  status,
  test,
  country,
  carrier,
  sum(messages),
  sum(segments),
  sum(price_micros),
  sum(cost_micros),
  true,
  decided_from
from
  taken
group by
  1,
  2,
  3,
  4,
  5,
  6,
  7,
  8,
  decided_from
having
  sum(messages) <> 0
  or sum(segments) <> 0
  or sum(price_micros) <> 0
  or sum(cost_micros) <> 0;
