import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { BatchId, MessageId, MessageStatus } from '../../../../contract/traffic/messages.ts';
import { column, type Db, prepared } from '../../../ground/postgres/index.ts';
import type { LaneSends, RecipientContact } from '../../lanes/index.ts';
import type { OutboxEvent, Publisher } from '../outbox-event.ts';
import type { MessagePart } from '../parts/message-parts.ts';
import type { Attempted, Claim } from '../waiting/claimed-store.ts';
import { idsOfParts } from './carrier-id-store.ts';
import { hasEarlyReceipt } from './early-receipt-store.ts';

/** Why a message with an unknown outcome is shown to an admin. */
export const UNKNOWN_OUTCOME = 'E_UNKNOWN_OUTCOME';

/** Nobody reported their outcome: an admin has to look. */
export const failUnknown = async (db: Db, afterMs: number): Promise<OutboxEvent[]> => {
  const { rows } = await sql<Omit<OutboxEvent, 'event'>>`
    -- By the index of what is unknown: asked for the status too, the planner would read all that waits. The row is asked
    -- again, because it may have been put back or tried again while this waited for it.
    with unknown as materialized (
      select id, created_at from messages where unknown_since <= now() - ${afterMs} * interval '1 ms')
    update messages m set status = 'FAILED_WITH_EXCEPTION', error_code = ${UNKNOWN_OUTCOME}, updated_at = now()
    from unknown where m.id = unknown.id and m.created_at = unknown.created_at and m.status = 'PENDING'
      and m.unknown_since <= now() - ${afterMs} * interval '1 ms'
    returning m.id, m.account_id as "accountId", m.created_at::text as "createdAt"`.execute(db);
  return rows.map((row) => ({ event: 'failed', unknown: true, ...row }));
};

/** What to write about a message that was handed to the carrier. */
export interface SendResult {
  message: Attempted & { recipient?: string };
  status: MessageStatus;
  providerMessageId: string | null;
  reason: string;
  code: string;
  /** In milliseconds. */
  at: number;
  /** Deferred until then. */
  notBefore: Date | null;
  /** Neither the lane nor the message was at fault, so the attempt does not count against them. */
  uncounted: boolean;
  unknown: boolean;
  /** Of a message that its carrier takes in several. */
  parts: MessagePart[] | null;
}

/** What throttled lanes have sent with these; what certainly was not sent does not count. */
export const sendsOf = (results: SendResult[]): LaneSends[] =>
  results
    .filter(({ status, unknown }) => status === 'SUCCESS' || unknown)
    .map(({ message: { laneId }, at }) => ({ laneId, at, sent: 1 }));

/** Whom phones have written to with these. */
export const recipientsOf = (results: SendResult[]): RecipientContact[] =>
  results
    .filter(({ status, unknown }) => status === 'SUCCESS' || unknown)
    .flatMap(({ message: { laneId, recipient }, at }) => (recipient ? [{ laneId, recipient, at }] : []));

/** A message that ended as FAILED and may be due a refund. */
export interface Failed {
  id: MessageId;
  accountId: AccountId;
  batchId: BatchId | null;
  channel: Channel;
  priceMicros: bigint;
}

/** A message whose result was written, with more to do about it: it failed, was deferred, or has an early receipt. */
export interface Unfinished extends Failed {
  status: MessageStatus;
  laneId: number;
  /** Of a message whose receipt arrived before its result. */
  early: string | null;
}

/**
 * Why it was deferred is stored for its timeline, and which attempt that was, so that no later word on it counts; if
 * none of many was, the columns are not even named.
 */
const DEFERRING = sql`, not_before = r.not_before, claimed_at = case when r.unknown then r.claimed_at end,
  tries = case when r.not_before is null then m.tries
    else coalesce(m.tries, '[]') || (jsonb_build_object('at', to_timestamp(r.at / 1000), 'lane', m.lane_id,
      'code', r.code, 'reason', r.reason, 'attempt', r.attempts)
      || case when r.uncounted then jsonb '{"excused": true}' else '{}' end) end`;

/** The receipt of any part may have come before the answers to all of them. */
const hasEarlyOfParts = sql`case when parts is null then status = 'SUCCESS' and ${hasEarlyReceipt}
  else provider_message_id is not null and exists (select from jsonb_array_elements(parts) part
    join early_receipts e on e.lane_id = written.lane_id and e.provider_message_id = part ->> 'id') end`;

/** Claims that are finished once these results are written. */
const emptiedBy = (results: SendResult[]): bigint[] => {
  const claims = new Map<Claim, number>();
  for (const { message } of results) claims.set(message.claim, (claims.get(message.claim) ?? 0) + 1);
  return [...claims].filter(([claim, count]) => count >= claim.open).map(([claim]) => claim.id);
};

/**
 * True for all results `r`. It makes the planner expect few of them, and so look up each by its key: if the table was
 * small when the plan was made, it would otherwise read all of it, and still do so after the table has grown.
 */
const FEW = sql`r.attempts > 0 and r.at > 0`;

const MONTH = /^\d{4}_\d{2}$/;

/**
 * The table of a month, if all are of one: it is planned, opened and locked faster than those of all months. The
 * counting triggers are on both.
 */
const tablesOf = (results: SendResult[]) => {
  const month = results[0]?.message.month ?? '';
  const isOne = MONTH.test(month) && results.every(({ message }) => message.month === month);
  const of = (table: string) => sql.table(isOne ? `${table}_${month}` : table);
  return { messages: of('messages'), carrierIds: of('carrier_ids') };
};

const accountsOf = (results: SendResult[]): AccountId[] => [
  ...new Set(results.map(({ message }) => message.accountId)),
];

/**
 * Writes carriers' answers of any kind and any lanes, each once: the second time the message has its outcome, or is at
 * another attempt. Returns those that have more to do, and all in several parts.
 */
export const writeResults = async (
  db: Db,
  results: SendResult[],
  { hasSubscriber, publishingRows }: Pick<Publisher, 'hasSubscriber' | 'publishingRows'>,
): Promise<Unfinished[]> => {
  const of = (type: Parameters<typeof column>[0], value: (result: SendResult) => unknown) =>
    column(type, results.map(value));
  const tables = tablesOf(results);
  const plain = results.every(({ notBefore, unknown }) => notBefore === null && !unknown);
  const ifDeferred = (part: RawBuilder<unknown>) => (plain ? sql`` : part);
  const parted = results.some(({ parts }) => parts !== null);
  const ifParted = (part: RawBuilder<unknown>) => (parted ? part : sql``);
  const { rows } = await sql<Unfinished>`${prepared('write-results')}
    with emptied as (delete from claims where id = any(${emptiedBy(results)}::bigint[]) returning id),
    written as (
      update ${tables.messages} m set status = r.status, reason = r.reason, error_code = r.code, updated_at = now(),
        attempts = r.attempts, provider_message_id = coalesce(r.provider_message_id, m.provider_message_id),
        sent_at = case when r.status = 'SUCCESS' then to_timestamp(r.at / 1000) end,
        unknown_since = ${plain ? sql`null` : sql`case when r.unknown then now() end`} ${ifDeferred(DEFERRING)}
        ${ifParted(sql`, parts = r.parts`)}
      from unnest(${of('uuid', ({ message }) => message.id)}, ${of('timestamptz', ({ message }) => message.createdAt)},
        ${of('smallint', ({ message }) => message.attempts)}, ${of('text', ({ status }) => status)},
        ${of('text', ({ providerMessageId }) => providerMessageId)}, ${of('text', ({ reason }) => reason)},
        ${of('text', ({ code }) => code)}, ${of('float8', ({ at }) => at)}${ifDeferred(sql`,
        ${of('timestamptz', ({ notBefore }) => notBefore)}, ${of('timestamptz', ({ message }) => message.claim.at)},
        ${of('boolean', ({ unknown }) => unknown)}, ${of('boolean', ({ uncounted }) => uncounted)}`)}${ifParted(sql`,
        ${of('jsonb', ({ parts }) => parts && JSON.stringify(parts))}`)}
      ) as r (id, created_at, attempts, status, provider_message_id, reason, code, at${ifDeferred(
        sql`, not_before, claimed_at, unknown, uncounted`,
      )}${ifParted(sql`, parts`)})
      -- A claim is locked before its messages.
      where (select count(*) from emptied) >= 0 and ${FEW}
        and m.id = r.id and m.created_at = r.created_at and m.attempts = r.attempts - 1
        and (m.status = 'PENDING' or (m.status = 'FAILED_WITH_EXCEPTION' and m.error_code = ${UNKNOWN_OUTCOME}
          and r.status <> 'PENDING'))
        -- Don't overwrite what receipts have reported about parts meanwhile.
        ${ifParted(sql`and (r.parts is null or m.parts is null)`)}
      returning m.id, m.created_at, m.lane_id, m.status, m.provider_message_id, m.account_id, m.batch_id, m.channel,
        m.price_micros ${ifParted(sql`, m.parts`)}
    ), named as (
      insert into ${tables.carrierIds} (lane_id, provider_message_id, created_at, message_id${ifParted(sql`, of_part`)})
      select lane_id, provider_message_id, created_at, id ${ifParted(sql`, null::boolean`)} from written
      where status = 'SUCCESS' and provider_message_id is not null
        ${ifParted(sql`and parts is null union all ${idsOfParts(sql`written`)}`)}
    )${hasSubscriber(accountsOf(results)) ? sql`, published as (${publishingRows(CHANGED)})` : sql``}
    select id, lane_id as "laneId", status, account_id as "accountId", batch_id as "batchId", channel,
      price_micros as "priceMicros", case when early then provider_message_id end as early
    from (select *, ${parted ? hasEarlyOfParts : sql`status = 'SUCCESS' and ${hasEarlyReceipt}`} as early
      from written) written
    where status <> 'SUCCESS' or early ${ifParted(sql`or parts is not null`)}`.execute(db);
  return rows;
};

const CHANGED = sql`(select account_id, id, created_at,
  case status when 'SUCCESS' then 'sent' else 'failed' end as kind from written where status <> 'PENDING')`;

interface Paid {
  batchId: BatchId;
  captureId: bigint;
}

/** Which ledger entries paid for these batches; none for those that cost nothing. */
export const findCaptures = async (db: Db, batchIds: BatchId[]): Promise<Paid[]> => {
  const { rows } = await sql<Paid>`
    select id as "batchId", capture_id as "captureId" from batches
    where id = any(${batchIds}::uuid[]) and capture_id is not null`.execute(db);
  return rows;
};
