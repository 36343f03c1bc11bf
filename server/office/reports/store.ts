import { type RawBuilder, sql } from 'kysely';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { ReportDimension } from '../../../contract/office/reports.ts';
import type { MessageStatus } from '../../../contract/traffic/messages.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { cutAtHours, pieces, type SpanPiece } from '../../traffic/messages/index.ts';
import { type Durations, openPercentiles } from './percentiles.ts';
import type { DaySpan } from './report-days.ts';

/** All accounts together, in message_counts. */
const EVERYONE = '00000000-0000-0000-0000-000000000000';

const spansTable = (spans: DaySpan[]): RawBuilder<unknown> => sql`unnest(
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

export const readStatusCounts = async (db: Db, spans: DaySpan[]): Promise<StatusCount[]> => {
  const { rows } = await sql<StatusCount>`
    select s.span::int, c.channel, c.type, c.status, c.hour, sum(c.messages)::int as messages
    from ${spansTable(spans)} join message_counts c
      on c.account_id = ${EVERYONE} and c.hour >= s.since and c.hour < s.until
    group by 1, 2, 3, 4, 5 having sum(c.messages) <> 0`.execute(db);
  return rows;
};

export interface ReportGroup {
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
const eightHoursOf = ({ span, from, to }: SpanPiece): SpanPiece[] =>
  Array.from({ length: (+to - +from) / EIGHT_HOURS_MS }, (_, at) => ({
    span,
    from: new Date(+from + at * EIGHT_HOURS_MS),
    to: new Date(+from + (at + 1) * EIGHT_HOURS_MS),
  }));

/** The counters of all spans as `c`: of whole eight hours the sums and what these don't have yet, of others each hour. */
const countersIn = (spans: DaySpan[], { sums, hours, columns }: Counters): RawBuilder<unknown> => {
  const { whole, ragged } = cutAtHours(spans, EIGHT_HOURS_MS);
  // One by one, from their index: together the planner expects so many that it would read the sums of all days.
  return sql`(
    select s.span + 1 as span, ${columns} from ${pieces(whole.flatMap(eightHoursOf))}
    cross join lateral (select * from ${sums} where since = s.since offset 0) c
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

type Sums = Omit<ReportGroup, 'median' | 'p95'>;

/** The largest first. */
const readSums = async (db: Db, spans: DaySpan[]): Promise<Sums[]> => {
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
    cross join lateral (values ('total', ''), ('provider', coalesce(l.provider, '')),
      ('phone', nullif(l.phone_name, '')), ('channel', c.channel), ('country', c.country), ('carrier', c.carrier)
    ) as d (dimension, name)
    where d.name is not null group by 1, 2, 3 having sum(messages) <> 0
    order by sum(messages) desc, d.name`.execute(db);
  return rows;
};

/** How long the messages of a lane, a country or a carrier took: as many as each bucket has. */
const readDurations = async (db: Db, spans: DaySpan[]): Promise<Durations[]> => {
  const { rows } = await sql<Durations>`
    select t.span, t.lane_id is not null as "byLane", t.country, t.carrier, l.channel, l.provider,
      l.phone_name as phone, array_agg(t.bucket) as buckets, array_agg(t.messages) as messages
    from (
      select span, lane_id, country, carrier, bucket, sum(messages)::int as messages
      from ${countersIn(spans, DURATIONS)} group by 1, 2, 3, 4, 5 having sum(messages) <> 0
    ) t left join lanes l on l.id = t.lane_id
    group by 1, t.lane_id, t.country, t.carrier, l.id`.execute(db);
  return rows;
};

/** The sums of the spans by each dimension. Both kinds of counters are read at the same time: a day has many of them. */
export const readGroups = async (db: Db, spans: DaySpan[]): Promise<ReportGroup[]> => {
  const [sums, durations] = await Promise.all([readSums(db, spans), readDurations(db, spans)]);
  const percentilesOf = openPercentiles(durations);
  return sums.map((one) => ({ ...one, ...percentilesOf(one) }));
};
