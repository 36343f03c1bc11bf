import { type RawBuilder, sql } from 'kysely';
import type { MessageStatus } from '../../contract/messages.ts';
import type { MessageEvent } from '../../contract/webhooks.ts';
import type { Receipt } from '../lanes/index.ts';
import { column, type Db, prepared } from '../postgres/index.ts';
import type { OutboxEvent } from './outbox-event.ts';
import type { Failed } from './result-store.ts';

/** All that the receipts of one message say. */
export interface ReceiptSummary {
  providerMessageId: string;
  deliveredAt: Date | null;
  readAt: Date | null;
  /** Null unless it failed. */
  failedCode: string | null;
}

/** A message that a receipt changed, and its new state. */
interface Changed extends Failed {
  status: MessageStatus;
  createdAt: string;
  events: MessageEvent[];
}

/** Carriers reuse their ids; a receipt belongs to the newest message with its id, and not to an old one. */
const LATEST_DAYS = 14;
export const IS_LATE_ENOUGH = sql`c.created_at > now() - ${LATEST_DAYS} * interval '1 day' and c.created_at <= now()`;

/** The messages `m` that were sent with a carrier's id. */
const bearing = (laneId: RawBuilder<unknown>, providerMessageId: RawBuilder<unknown>) => sql`carrier_ids c
  join messages m on m.id = c.message_id and m.created_at = c.created_at and m.type = 'outgoing'
  where c.lane_id = ${laneId} and c.provider_message_id = ${providerMessageId}
    and ${IS_LATE_ENOUGH}`;

/**
 * Writes receipts and returns which of them found their message, and which messages they failed. The first final state
 * counts: a failure after a delivery is ignored, and a known time stays.
 */
export const writeReceipts = async (
  db: Db,
  laneId: number,
  summaries: ReceiptSummary[],
): Promise<{ known: Set<string>; failed: Failed[]; events: OutboxEvent[] }> => {
  const { rows } = await sql<
    { providerMessageId: string } & { [Key in keyof Changed]: Changed[Key] | null }
  >`${prepared('write-receipts')}
    with given as (
      select * from unnest(${column(
        'text',
        summaries.map(({ providerMessageId }) => providerMessageId),
      )},
        ${column(
          'timestamptz',
          summaries.map(({ deliveredAt }) => deliveredAt),
        )},
        ${column(
          'timestamptz',
          summaries.map(({ readAt }) => readAt),
        )}, ${column(
          'text',
          summaries.map(({ failedCode }) => failedCode),
        )}
      ) as given (provider_message_id, delivered_at, read_at, failed_code)
    ), found as (
      select given.*, m.* from given cross join lateral (
        select m.id, m.created_at, m.status as was, m.delivered_at as was_delivered, m.read_at as was_read
        from ${bearing(sql`${laneId}`, sql`given.provider_message_id`)} order by c.created_at desc limit 1
      ) m
    ), changed as (
      update messages m set updated_at = now(),
        status = case when f.failed_code is null then 'SUCCESS' else 'FAILED' end,
        error_code = coalesce(f.failed_code, ''),
        reason = case when f.failed_code is null then '' else 'The carrier reported that it was not delivered.' end,
        delivered_at = coalesce(m.delivered_at, f.delivered_at, f.read_at),
        read_at = coalesce(m.read_at, f.read_at)
      from found f
      -- True for all rows; makes the planner look up each by its key.
      where f.created_at > '-infinity' and f.was > '' and m.id = f.id and m.created_at = f.created_at
        and m.status in ('PENDING', 'SUCCESS', 'FAILED_WITH_EXCEPTION')
        and case when f.failed_code is not null then m.delivered_at is null
          else m.status <> 'SUCCESS' or (m.delivered_at is null and f.delivered_at is not null)
            or (m.read_at is null and f.read_at is not null) end
      returning m.id, m.status, m.account_id, m.batch_id, m.channel, m.price_micros, m.delivered_at, m.read_at
    )
    select f.provider_message_id as "providerMessageId", c.id, c.account_id as "accountId",
      c.batch_id as "batchId", c.channel, c.price_micros as "priceMicros", c.status,
      case when c.id is not null then f.created_at::text end as "createdAt",
      array_remove(array[case when c.status = 'SUCCESS' and f.was <> 'SUCCESS' then 'sent' end,
        case when c.status = 'FAILED' then 'failed' end,
        case when f.was_delivered is null and c.delivered_at is not null then 'delivered' end,
        case when f.was_read is null and c.read_at is not null then 'read' end], null) as events
    from found f left join changed c on c.id = f.id`.execute(db);
  const changed = rows.filter((row): row is (typeof rows)[number] & Changed => row.id !== null);
  return {
    known: new Set(rows.map(({ providerMessageId }) => providerMessageId)),
    failed: changed.filter(({ status }) => status === 'FAILED'),
    events: changed.flatMap(({ id, accountId, createdAt, events }) =>
      events.map((event) => ({ event, id, accountId, createdAt })),
    ),
  };
};

/** Stores receipts whose message is not known yet, or not any more. */
export const keepEarlyReceipts = async (db: Db, laneId: number, receipts: Receipt[]): Promise<void> => {
  await sql`
    insert into early_receipts (lane_id, provider_message_id, state, code, at, message_id, recipient)
    select ${laneId}, * from unnest(${receipts.map(({ providerMessageId }) => providerMessageId)}::text[],
      ${receipts.map(({ state }) => state)}::text[], ${receipts.map(({ code }) => code)}::text[],
      ${receipts.map(({ at }) => at)}::timestamptz[],
      ${receipts.map(({ messageId }) => messageId ?? null)}::uuid[],
      ${receipts.map(({ recipient }) => recipient ?? null)}::text[])`.execute(db);
};

/** Takes the early receipts of these messages, oldest first. */
export const takeEarlyReceipts = async (
  db: Db,
  laneId: number,
  providerMessageIds: string[],
): Promise<Receipt[]> => {
  const { rows } = await sql<Receipt & { id: bigint }>`
    delete from early_receipts
    where lane_id = ${laneId} and provider_message_id = any(${providerMessageIds}::text[])
    returning id, provider_message_id as "providerMessageId", state, code, at`.execute(db);
  return rows.sort((a, b) => Number(a.id - b.id));
};

/** Which of these still have receipts without a message, and whether their message is known by now. */
export const findEarly = async (
  db: Db,
  laneId: number,
  providerMessageIds: string[],
): Promise<{ providerMessageId: string; known: boolean }[]> => {
  const { rows } = await sql<{ providerMessageId: string; known: boolean }>`
    select e.provider_message_id as "providerMessageId",
      exists (select from ${bearing(sql`${laneId}`, sql`e.provider_message_id`)}) as known
    from (select distinct provider_message_id from early_receipts
      where lane_id = ${laneId} and provider_message_id = any(${providerMessageIds}::text[])) e`.execute(db);
  return rows;
};

export interface LateMatch {
  laneId: number;
  providerMessageId: string;
}

/** Early receipts whose message is known by now: left by a lost answer or a race. */
export const findLateMatches = async (db: Db, limit: number): Promise<LateMatch[]> => {
  const { rows } = await sql<LateMatch>`
    select distinct e.lane_id as "laneId", e.provider_message_id as "providerMessageId" from early_receipts e
    where exists (select from ${bearing(sql`e.lane_id`, sql`e.provider_message_id`)})
    limit ${limit}`.execute(db);
  return rows;
};

/** Receipts wait this long before they are compared with lost answers: the answer may be on its way. */
const SETTLED_MS = 20_000;

/**
 * Gives messages whose answer was lost the carrier's id, if a receipt shows it: by our own id if the carrier returns
 * it, or by the recipient if there is exactly one message and one receipt for that number.
 */
export const adoptReceipts = async (db: Db, settledMs = SETTLED_MS): Promise<OutboxEvent[]> => {
  const { rows } = await sql<Omit<OutboxEvent, 'event'>>`
    with early as (
      select lane_id, provider_message_id, message_id, regexp_replace(recipient, '^\\+', '') as recipient,
        min(received_at) as received_at
      from early_receipts where received_at <= now() - ${settledMs} * interval '1 ms' group by 1, 2, 3, 4
    ), lost as (
      select id, created_at, claimed_at, lane_id, regexp_replace(recipient, '^\\+', '') as recipient from messages
      where lane_id in (select lane_id from early) and unknown_since is not null
        and provider_message_id is null and (status = 'PENDING' or status = 'FAILED_WITH_EXCEPTION')
        and created_at > now() - interval '2 days' and (select count(*) from early) > 0
    ), by_id as (
      select lost.id, lost.created_at, early.provider_message_id
      from lost join early on early.lane_id = lost.lane_id and early.message_id = lost.id
    ), by_recipient as (
      select min(lost.id::text)::uuid as id, min(lost.created_at) as created_at,
        min(early.provider_message_id) as provider_message_id
      from lost join early on early.lane_id = lost.lane_id and early.recipient = lost.recipient
        and early.message_id is null and early.received_at >= lost.claimed_at
      group by lost.lane_id, lost.recipient having count(*) = 1
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

export const removeExpiredReceipts = async (db: Db, afterMs: number): Promise<void> => {
  await sql`delete from early_receipts where received_at < now() - ${afterMs} * interval '1 ms'`.execute(db);
};
