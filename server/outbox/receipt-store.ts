import { sql } from 'kysely';
import { column, type Db, prepared } from '../postgres/index.ts';
import { bearing, type CarrierKey, LATEST_DAYS } from './carrier-id-store.ts';
import type { OutboxEvent, Publisher } from './outbox-event.ts';
import type { Failed } from './result-store.ts';

/** All that the receipts of one message say. */
export interface ReceiptSummary extends CarrierKey {
  deliveredAt: Date | null;
  readAt: Date | null;
  /** Null unless it failed. */
  failedCode: string | null;
}

/** What happened to the messages `changed`, in the order in which it did. */
const EVENTS = sql`(
  select f.account_id, f.id, f.created_at, told.kind from (
    select f.*, c.account_id, c.status, c.delivered_at as is_delivered, c.read_at as is_read
    from found f join changed c on c.id = f.id
  ) f cross join lateral (values
    ('sent', f.status = 'SUCCESS' and f.was <> 'SUCCESS'), ('failed', f.status = 'FAILED'),
    ('delivered', f.was_delivered is null and f.is_delivered is not null),
    ('read', f.was_read is null and f.is_read is not null)) as told (kind, happened)
  where told.happened)`;

/** A receipt that found no message; or, with the message, one that failed it. */
type Unfinished = CarrierKey & { [Key in keyof Failed]: Failed[Key] | null };

const isFailed = (row: Unfinished): row is CarrierKey & Failed => row.id !== null;

/**
 * Writes receipts of any lanes, and returns those that found no message, and the messages that failed. The first final
 * state counts: a failure after a delivery is ignored, and a known time stays.
 */
export const writeReceipts = async (
  db: Db,
  summaries: ReceiptSummary[],
  { publishingRows }: Pick<Publisher, 'publishingRows'>,
): Promise<{ unmatched: CarrierKey[]; failed: Failed[] }> => {
  const of = (type: Parameters<typeof column>[0], value: (summary: ReceiptSummary) => unknown) =>
    column(type, summaries.map(value));
  const { rows } = await sql<Unfinished>`${prepared('write-receipts')}
    with found as materialized (
      select given.*, m.* from unnest(${of('int', ({ laneId }) => laneId)},
        ${of('text', ({ providerMessageId }) => providerMessageId)},
        ${of('timestamptz', ({ deliveredAt }) => deliveredAt)}, ${of('timestamptz', ({ readAt }) => readAt)},
        ${of('text', ({ failedCode }) => failedCode)}
      ) as given (lane_id, provider_message_id, delivered_at, read_at, failed_code) left join lateral (
        select m.id, m.created_at, m.status as was, m.delivered_at as was_delivered, m.read_at as was_read
        from ${bearing(sql`given.lane_id`, sql`given.provider_message_id`)} order by c.created_at desc limit 1
      ) m on true
    ), changed as (
      update messages m set updated_at = now(),
        status = case when f.failed_code is null then 'SUCCESS' else 'FAILED' end,
        error_code = coalesce(f.failed_code, ''),
        reason = case when f.failed_code is null then '' else 'The carrier reported that it was not delivered.' end,
        delivered_at = coalesce(m.delivered_at, f.delivered_at, f.read_at),
        read_at = coalesce(m.read_at, f.read_at)
      from found f
      -- The first two are true for all rows, and make the planner look up each by its key.
      where f.created_at > '-infinity' and f.was > ''
        and m.id = f.id and m.created_at = f.created_at
        and m.status in ('PENDING', 'SUCCESS', 'FAILED_WITH_EXCEPTION')
        and case when f.failed_code is not null then m.delivered_at is null
          else m.status <> 'SUCCESS' or (m.delivered_at is null and f.delivered_at is not null)
            or (m.read_at is null and f.read_at is not null) end
      returning m.id, m.status, m.account_id, m.batch_id, m.channel, m.price_micros, m.delivered_at, m.read_at
    ), published as (${publishingRows(EVENTS)})
    select lane_id as "laneId", provider_message_id as "providerMessageId", null as id, null as "accountId",
      null as "batchId", null as channel, null as "priceMicros"
    from found where id is null
    union all
    select 0, '', id, account_id, batch_id, channel, price_micros from changed where status = 'FAILED'`.execute(
    db,
  );
  return { unmatched: rows.filter(({ id }) => id === null), failed: rows.filter(isFailed) };
};

/** Receipts wait this long before they are compared with lost answers: the answer may be on its way. */
const SETTLED_MS = 20_000;

/**
 * Gives messages whose answer was lost the carrier's id, if a receipt shows it: by our own id if the carrier returns
 * it, or by the recipient if there is exactly one message and one receipt for that number. Not if the same lane has sent
 * a long message to that number: each of its parts has a receipt, and a process that was restarted since knows only the
 * id of the first part.
 */
export const adoptReceipts = async (db: Db, settledMs = SETTLED_MS): Promise<OutboxEvent[]> => {
  const { rows } = await sql<Omit<OutboxEvent, 'event'>>`
    with early as (
      select lane_id, provider_message_id, message_id, regexp_replace(recipient, '^\\+', '') as recipient,
        min(received_at) as received_at
      from early_receipts where received_at <= now() - ${settledMs} * interval '1 ms' group by 1, 2, 3, 4
    ), lost as (
      select id, created_at, claimed_at, lane_id, recipient as number, regexp_replace(recipient, '^\\+', '') as recipient
      from messages
      where lane_id in (select lane_id from early) and unknown_since is not null
        and provider_message_id is null and (status = 'PENDING' or status = 'FAILED_WITH_EXCEPTION')
        and created_at > now() - interval '2 days' and (select count(*) from early) > 0
    ), by_id as (
      select lost.id, lost.created_at, early.provider_message_id
      from lost join early on early.lane_id = lost.lane_id and early.message_id = lost.id
    ), alone as (
      select min(lost.id::text)::uuid as id, min(lost.created_at) as created_at,
        min(early.provider_message_id) as provider_message_id, lost.lane_id, min(lost.number) as number
      from lost join early on early.lane_id = lost.lane_id and early.recipient = lost.recipient
        and early.message_id is null and early.received_at >= lost.claimed_at
      group by lost.lane_id, lost.recipient having count(*) = 1
    ), by_recipient as (
      -- As a value, so that it is one look into the index for each of these few.
      select id, created_at, provider_message_id from alone where (
        select true from messages m
        where (case m.type when 'incoming' then m.sender else m.recipient end) = alone.number and m.type = 'outgoing'
          and m.lane_id = alone.lane_id and m.segment > 1 and m.provider_message_id is not null
          and m.created_at > now() - ${LATEST_DAYS} * interval '1 day' limit 1) is null
    ), adopted as (
      update messages m set provider_message_id = matched.provider_message_id, status = 'SUCCESS', reason = '',
        error_code = '', sent_at = m.claimed_at, unknown_since = null, updated_at = now()
      from (select * from by_id union select * from by_recipient) matched
      where m.id = matched.id and m.created_at = matched.created_at and m.provider_message_id is null
        and m.status in ('PENDING', 'FAILED_WITH_EXCEPTION')
      returning m.*
    ), named as (
      insert into carrier_ids select lane_id, provider_message_id, created_at, id from adopted
    )
    select id, account_id as "accountId", created_at::text as "createdAt" from adopted`.execute(db);
  return rows.map((row) => ({ event: 'sent', ...row }));
};
