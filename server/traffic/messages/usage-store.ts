import { sql } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { BatchId } from '../../../contract/traffic/messages.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { cutAtHours, type TimeSpan } from './search/hour-spans.ts';
import { pieces, spanAt, within } from './search/span-store.ts';

/** Messages of one kind that were accepted in a span, including those that were cancelled or failed later. */
export interface Usage {
  /** Index of the span. */
  span: number;
  channel: Channel;
  country: string;
  /** The device that they name; '': none. */
  device: string;
  unitMicros: bigint;
  messages: number;
  units: number;
  priceMicros: bigint;
}

/** Messages of the test secret are not usage. */
const PAID_FOR = sql`type = 'outgoing' and not (test and unit_micros = 0)`;
const SUMS = sql`span, channel, country, device, unit_micros as "unitMicros", sum(messages)::int as messages,
  sum(segments)::int as units, sum(price_micros)::bigint as "priceMicros"`;
const KEY = sql`span, channel, country, device, unit_micros`;
/** A message as a row of the counters. */
const AS_COUNTED = sql`type, test, channel, country, message_device(sender) as device, price_micros / greatest(segment, 1) as unit_micros,
  1 as messages, segment as segments, price_micros`;

export const readUsage = async (db: Db, accountId: AccountId, spans: TimeSpan[]): Promise<Usage[]> => {
  const { whole, ragged } = cutAtHours(spans);
  const counted = sql`
    select ${spanAt(sql`hour`, whole)} as span, type, test, channel, country, device, unit_micros, messages,
      segments, price_micros
    from message_counts where account_id = ${accountId} and ${within(sql`hour`, whole)}`;
  const single = sql`
    select span, ${AS_COUNTED}
    from ${pieces(ragged)} join messages on account_id = ${accountId} and created_at >= since and created_at < until`;
  const { rows } = await sql<Usage>`
    select ${SUMS} from (${counted} ${ragged.length > 0 ? sql`union all ${single}` : sql``}) counted
    where ${PAID_FOR} group by ${KEY} having sum(messages) <> 0`.execute(db);
  return rows;
};

/** Messages of these batches that were created before a moment. */
export const readUsageMadeBefore = async (
  db: Db,
  { accountId, batchIds, before }: { accountId: AccountId; batchIds: BatchId[]; before: Date },
): Promise<Usage[]> => {
  const { rows } = await sql<Usage>`
    select ${SUMS} from (
      select 0 as span, m.*
      from batches b cross join lateral (
        select ${AS_COUNTED} from messages
        where account_id = b.account_id and created_at = b.created_at and batch_id = b.id
      ) m
      where b.id = any(${batchIds}::uuid[]) and b.account_id = ${accountId} and b.created_at < ${before}
    ) late
    where ${PAID_FOR} group by ${KEY}`.execute(db);
  return rows;
};

/** When the account's first message was made, to the hour. */
export const findFirstUse = async (db: Db, accountId: AccountId): Promise<Date | null> => {
  const { rows } = await sql<{ first: Date | null }>`
    select min(hour) as first from message_counts where account_id = ${accountId}`.execute(db);
  return rows[0]?.first ?? null;
};

/** Which of the spans have any. */
export const findUsedSpans = async (db: Db, accountId: AccountId, spans: TimeSpan[]): Promise<number[]> => {
  const { whole, ragged } = cutAtHours(spans);
  const { rows } = await sql<{ span: number }>`
    select span from ${pieces(whole)} where exists (select from message_counts
      where account_id = ${accountId} and hour >= since and hour < until and ${PAID_FOR})
    union
    select span from ${pieces(ragged)} where exists (select from messages
      where account_id = ${accountId} and created_at >= since and created_at < until and type = 'outgoing'
        and not (test and price_micros = 0))`.execute(db);
  return rows.map(({ span }) => span);
};
