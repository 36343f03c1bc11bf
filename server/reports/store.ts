import { type RawBuilder, sql } from 'kysely';
import type { Channel, MessageStatus } from '../../contract/messages.ts';
import type { ReportDimension } from '../../contract/reports.ts';
import { cut, type Piece, pieces } from '../messages/index.ts';
import type { Db } from '../postgres/index.ts';
import type { Span } from './report-days.ts';

/** All accounts together, in message_counts. */
const EVERYONE = '00000000-0000-0000-0000-000000000000';

const spansTable = (spans: Span[]): RawBuilder<unknown> => sql`unnest(
  ${spans.map(({ from }) => from)}::timestamptz[], ${spans.map(({ to }) => to)}::timestamptz[]
) with ordinality as s (since, until, span)`;

export interface StatusCount {
  /** From 1, in the order of the spans. */
  span: number;
  channel: Channel;
  type: 'incoming' | 'outgoing';
  status: MessageStatus;
  hour: Date;
  messages: number;
}

export const readStatusCounts = async (db: Db, spans: Span[]): Promise<StatusCount[]> => {
  const { rows } = await sql<StatusCount>`
    select s.span::int, c.channel, c.type, c.status, c.hour, sum(c.messages)::int as messages
    from ${spansTable(spans)} join message_counts c
      on c.account_id = ${EVERYONE} and c.hour >= s.since and c.hour < s.until
    group by 1, 2, 3, 4, 5 having sum(c.messages) <> 0`.execute(db);
  return rows;
};

export interface Group {
  span: number;
  dimension: ReportDimension | 'total';
  name: string;
  messages: number;
  success: number;
  failed: number;
  inDoubt: number;
  /** Of duration_bucket(); null if none was accepted. */
  median: number | null;
  p95: number | null;
  revenueMicros: bigint;
  costMicros: bigint;
}

/** Of lane_sums and duration_sums. */
const EIGHT_HOURS_MS = 28_800_000;

interface Counters {
  /** By eight hours, by the hour, and what both have. */
  sums: RawBuilder<unknown>;
  hours: RawBuilder<unknown>;
  columns: RawBuilder<unknown>;
}

/** Each eight hours of it. */
const eightHoursOf = ({ span, from, to }: Piece): Piece[] =>
  Array.from({ length: (+to - +from) / EIGHT_HOURS_MS }, (_, at) => ({
    span,
    from: new Date(+from + at * EIGHT_HOURS_MS),
    to: new Date(+from + (at + 1) * EIGHT_HOURS_MS),
  }));

/** The counters of all spans as `c`: of whole eight hours the sums and what these don't have yet, of others each hour. */
const countersIn = (spans: Span[], { sums, hours, columns }: Counters): RawBuilder<unknown> => {
  const { whole, ragged } = cut(spans, EIGHT_HOURS_MS);
  // The sums by equality: of a range the planner expects so many that it starts more processes, which costs more time.
  return sql`(
    select s.span + 1 as span, ${columns} from ${pieces(whole.flatMap(eightHoursOf))}
    join ${sums} c on c.since = s.since
    union all select s.span + 1, ${columns} from ${pieces(whole)}
    join ${hours} c on c.hour >= s.since and c.hour < s.until and not c.summed
    union all select s.span + 1, ${columns} from ${pieces(ragged)}
    join ${hours} c on c.hour >= s.since and c.hour < s.until and c.summed in (false, true)
  ) c`;
};

const LANES: Counters = {
  sums: sql`lane_sums`,
  hours: sql`(select * from lane_counts where type = 'outgoing')`,
  columns: sql`c.lane_id, c.channel, c.country, c.carrier, c.status, c.messages, c.price_micros, c.cost_micros`,
};

const DURATIONS: Counters = {
  sums: sql`duration_sums`,
  hours: sql`duration_counts`,
  columns: sql`c.lane_id, c.country, c.carrier, c.bucket, c.messages`,
};

/** What is neither refunded nor still waiting. */
const EARNED = sql`status in ('SUCCESS', 'FAILED_WITH_EXCEPTION')`;

/** What a row is counted for by its lane `l`; a name that is null has none. */
const BY_LANE = sql`('total', ''), ('provider', coalesce(l.provider, '')), ('phone', nullif(l.phone_name, ''))`;

type Named = Pick<Group, 'span' | 'dimension' | 'name'>;
type Percentiles = Named & Pick<Group, 'median' | 'p95'>;
type Sums = Omit<Group, 'median' | 'p95'>;

/** The largest first. */
const readSums = async (db: Db, spans: Span[]): Promise<Sums[]> => {
  const { rows } = await sql<Sums>`
    with counted as materialized (
      select span, lane_id, channel, country, carrier, sum(messages) as messages,
        coalesce(sum(messages) filter (where status = 'SUCCESS'), 0) as success,
        coalesce(sum(messages) filter (where status = 'FAILED'), 0) as failed,
        coalesce(sum(messages) filter (where status = 'FAILED_WITH_EXCEPTION'), 0) as in_doubt,
        coalesce(sum(price_micros) filter (where ${EARNED}), 0)::bigint as revenue,
        coalesce(sum(cost_micros) filter (where ${EARNED}), 0)::bigint as cost
      from ${countersIn(spans, LANES)} group by 1, 2, 3, 4, 5
    )
    select c.span, d.dimension, d.name, sum(messages)::int as messages, sum(success)::int as success,
      sum(failed)::int as failed, sum(in_doubt)::int as "inDoubt", sum(revenue)::bigint as "revenueMicros",
      sum(cost)::bigint as "costMicros"
    from counted c left join lanes l on l.id = c.lane_id
    cross join lateral (values ${BY_LANE}, ('channel', c.channel), ('country', c.country), ('carrier', c.carrier))
      as d (dimension, name)
    where d.name is not null group by 1, 2, 3 having sum(messages) <> 0
    order by sum(messages) desc, d.name`.execute(db);
  return rows;
};

/** A percentile is the first bucket up to which that part of them lies. */
const readPercentiles = async (db: Db, spans: Span[]): Promise<Percentiles[]> => {
  const { rows } = await sql<Percentiles>`
    with timed as materialized (
      select span, lane_id, country, carrier, bucket, sum(messages) as messages
      from ${countersIn(spans, DURATIONS)} group by 1, 2, 3, 4, 5
    ), names as materialized (
      select c.lane_id, d.dimension, d.name from (select distinct lane_id from timed) c left join lanes l on l.id = c.lane_id
      cross join lateral (values ${BY_LANE}, ('channel', l.channel)) as d (dimension, name) where d.name is not null
    ), named as (
      select span, dimension, name, bucket, messages from timed join names using (lane_id)
      union all select span, 'country', country, bucket, messages from timed where country is not null
      union all select span, 'carrier', carrier, bucket, messages from timed where carrier is not null
    ), ranked as (
      select span, dimension, name, bucket, sum(sum(messages)::bigint) over (of_name order by bucket) as upto,
        sum(sum(messages)::bigint) over of_name as "all"
      from named group by 1, 2, 3, 4 having sum(messages) <> 0
      window of_name as (partition by span, dimension, name)
    )
    select span, dimension, name, min(bucket) filter (where upto * 2 >= "all") as median,
      min(bucket) filter (where upto * 100 >= "all" * 95) as p95
    from ranked group by 1, 2, 3`.execute(db);
  return rows;
};

const keyOf = ({ span, dimension, name }: Named): string => `${span} ${dimension} ${name}`;

/** The sums of the spans by each dimension. Both kinds of counters are read at the same time: a day has many of them. */
export const readGroups = async (db: Db, spans: Span[]): Promise<Group[]> => {
  const [sums, percentiles] = await Promise.all([readSums(db, spans), readPercentiles(db, spans)]);
  const known = new Map(percentiles.map((one) => [keyOf(one), one]));
  return sums.map((one) => {
    const { median = null, p95 = null } = known.get(keyOf(one)) ?? {};
    return { ...one, median, p95 };
  });
};
