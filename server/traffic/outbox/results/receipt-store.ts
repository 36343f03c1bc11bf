import { sql } from 'kysely';
import { column, type Db, prepared } from '../../../ground/postgres/index.ts';
import type { Publisher } from '../outbox-event.ts';
import { UNDELIVERED_REASON } from '../parts/message-parts.ts';
import type { MessageKey } from '../parts/part-store.ts';
import { bearing, type CarrierKey } from './carrier-id-store.ts';
import type { Failed } from './result-store.ts';

/** What the receipts of one message say together. */
export interface ReceiptSummary extends CarrierKey {
  deliveredAt: Date | null;
  readAt: Date | null;
  /** Null unless the message failed. */
  failedCode: string | null;
}

/** The events of the messages `changed`, in the order in which they happened. */
const EVENTS = sql`(
  select f.account_id, f.id, f.created_at, told.kind from (
    select f.*, c.account_id, c.status, c.delivered_at as is_delivered, c.read_at as is_read
    from found f join changed c on c.id = f.id
  ) f cross join lateral (values
    ('sent', f.status = 'SUCCESS' and f.was <> 'SUCCESS'), ('failed', f.status = 'FAILED'),
    ('delivered', f.was_delivered is null and f.is_delivered is not null),
    ('read', f.was_read is null and f.is_read is not null)) as told (kind, happened)
  where told.happened)`;

/**
 * A receipt that found no message. With a message, the receipt failed that message; with `ofPart`, it is about one of
 * its parts.
 */
type Unfinished = CarrierKey & { [Key in keyof Failed]: Failed[Key] | null } & {
  ofPart: true | null;
  createdAt: string | null;
};

const isFailed = (row: Unfinished): row is Unfinished & Failed => row.id !== null && row.ofPart === null;
const isOfPart = (row: Unfinished): row is Unfinished & OfPart => row.ofPart !== null;

/** A receipt for one part of a message. What it means depends on the receipts of the other parts. */
export type OfPart = CarrierKey & MessageKey;

/**
 * Writes receipts of any lanes, and returns those that found no message, those of parts, and the messages that failed.
 * The first final state counts: a failure after a delivery is ignored, and a known time stays.
 */
export const writeReceipts = async (
  db: Db,
  summaries: ReceiptSummary[],
  { publishingRows }: Pick<Publisher, 'publishingRows'>,
): Promise<{ unmatched: CarrierKey[]; ofParts: OfPart[]; failed: Failed[] }> => {
  const of = (type: Parameters<typeof column>[0], value: (summary: ReceiptSummary) => unknown) =>
    column(type, summaries.map(value));
  const { rows } = await sql<Unfinished>`${prepared('write-receipts')}
    with found as materialized (
      select given.*, m.* from unnest(${of('int', ({ laneId }) => laneId)},
        ${of('text', ({ providerMessageId }) => providerMessageId)},
        ${of('timestamptz', ({ deliveredAt }) => deliveredAt)}, ${of('timestamptz', ({ readAt }) => readAt)},
        ${of('text', ({ failedCode }) => failedCode)}
      ) as given (lane_id, provider_message_id, delivered_at, read_at, failed_code) left join lateral (
        select m.id, m.created_at, c.of_part, m.status as was, m.delivered_at as was_delivered, m.read_at as was_read
        from ${bearing(sql`given.lane_id`, sql`given.provider_message_id`)} order by c.created_at desc limit 1
      ) m on true
    ), changed as (
      update messages m set updated_at = now(), decided_from = null,
        status = case when f.failed_code is null then 'SUCCESS' else 'FAILED' end,
        error_code = coalesce(f.failed_code, ''),
        reason = case when f.failed_code is null then '' else ${UNDELIVERED_REASON} end,
        delivered_at = coalesce(m.delivered_at, f.delivered_at, f.read_at),
        read_at = coalesce(m.read_at, f.read_at)
      from found f
      -- The first two conditions hold for every row; they make the planner look up each row by its key.
      where f.created_at > '-infinity' and f.was > ''
        and m.id = f.id and m.created_at = f.created_at and f.of_part is null
        and m.status in ('PENDING', 'SUCCESS', 'FAILED_WITH_EXCEPTION')
        and case when f.failed_code is not null then m.delivered_at is null
          else m.status <> 'SUCCESS' or (m.delivered_at is null and f.delivered_at is not null)
            or (m.read_at is null and f.read_at is not null) end
      returning m.id, m.status, m.account_id, m.batch_id, m.channel, m.price_micros, m.delivered_at, m.read_at
    ), published as (${publishingRows(EVENTS)})
    select lane_id as "laneId", provider_message_id as "providerMessageId", null::uuid as id,
      null::uuid as "accountId", null::uuid as "batchId", null as channel, null::bigint as "priceMicros",
      null::boolean as "ofPart", null as "createdAt"
    from found where id is null
    union all
    select lane_id, provider_message_id, id, null, null, null, null, of_part, created_at::text
    from found where of_part
    union all
    select 0, '', id, account_id, batch_id, channel, price_micros, null, null from changed
    where status = 'FAILED'`.execute(db);
  return {
    unmatched: rows.filter(({ id }) => id === null),
    ofParts: rows.filter(isOfPart),
    failed: rows.filter(isFailed),
  };
};
