import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import type { BatchId, Channel, MessageId, MessageStatus } from '../../contract/messages.ts';
import type { LaneSends } from '../lanes/index.ts';
import { column, type Db, prepared } from '../postgres/index.ts';
import type { Attempted, Claim } from './claimed-store.ts';
import type { OutboxEvent } from './outbox-event.ts';

/** Why a message with an unknown outcome is shown to an admin. */
const UNKNOWN_OUTCOME = 'E_UNKNOWN_OUTCOME';

/** Nobody reported their outcome: an admin has to look. */
export const failUnknown = async (db: Db, afterMs: number): Promise<OutboxEvent[]> => {
  const { rows } = await sql<Omit<OutboxEvent, 'event'>>`
    update messages set status = 'FAILED_WITH_EXCEPTION', error_code = ${UNKNOWN_OUTCOME}, updated_at = now()
    where status = 'PENDING' and unknown_since <= now() - ${afterMs} * interval '1 ms'
    returning id, account_id as "accountId", created_at::text as "createdAt"`.execute(db);
  return rows.map((row) => ({ event: 'failed', unknown: true, ...row }));
};

/** What to write about a message that was handed to the carrier. */
export interface Result {
  message: Attempted;
  status: MessageStatus;
  providerMessageId: string | null;
  reason: string;
  code: string;
  /** In milliseconds. */
  at: number;
  /** Deferred until then. */
  notBefore: Date | null;
  unknown: boolean;
}

/** What certainly was not sent does not count. */
export const sendsOf = (laneId: number, results: Result[]): LaneSends[] =>
  results
    .filter(({ status, unknown }) => status === 'SUCCESS' || unknown)
    .map(({ at }) => ({ laneId, at, sent: 1 }));

/** A message that ended as FAILED and may be due a refund. */
export interface Failed {
  id: MessageId;
  accountId: AccountId;
  batchId: BatchId | null;
  channel: Channel;
  priceMicros: bigint;
}

/** A message with its state after a write; details only for those that failed. */
type Written =
  | ({ status: 'FAILED' } & Failed)
  | { status: Exclude<MessageStatus, 'FAILED'>; id: MessageId; accountId: AccountId };

/** Why it was deferred is stored for its timeline; if none of many was, the columns are not even named. */
const DEFERRING = sql`, not_before = r.not_before, claimed_at = case when r.unknown then r.claimed_at end,
  tries = case when r.not_before is null then m.tries
    else coalesce(m.tries, '[]') || jsonb_build_object('at', to_timestamp(r.at / 1000), 'lane', m.lane_id,
      'code', r.code, 'reason', r.reason) end`;

/** Claims that are finished once these results are written. */
export const emptiedBy = (results: Result[]): bigint[] => {
  const claims = new Map<Claim, number>();
  for (const { message } of results) claims.set(message.claim, (claims.get(message.claim) ?? 0) + 1);
  return [...claims].filter(([claim, count]) => count >= claim.open).map(([claim]) => claim.id);
};

/** Deleted first: a claim is always locked before its messages. */
const deleteEmptyClaims = async (db: Db, results: Result[]): Promise<void> => {
  const empty = emptiedBy(results);
  if (empty.length > 0) await sql`delete from claims where id = any(${empty}::bigint[])`.execute(db);
};

/**
 * True for all results `r`. It makes the planner expect few of them, and so look up each by its key: if the table was
 * small when the plan was made, it would otherwise read all of it, and still do so after the table has grown.
 */
export const FEW = sql`r.attempts > 0 and r.at > 0`;

/** Writes the carrier's answer, once: the second time the message has its outcome, or is at another attempt. */
export const writeResults = async (db: Db, results: Result[]): Promise<Written[]> => {
  await deleteEmptyClaims(db, results);
  const of = (type: Parameters<typeof column>[0], value: (result: Result) => unknown) =>
    column(type, results.map(value));
  const plain = results.every(({ notBefore, unknown }) => notBefore === null && !unknown);
  const ifDeferred = (part: RawBuilder<unknown>) => (plain ? sql`` : part);
  const { rows } = await sql<Written>`${prepared('write-results')}
    with written as (
      update messages m set status = r.status, reason = r.reason, error_code = r.code, updated_at = now(),
        attempts = r.attempts, provider_message_id = coalesce(r.provider_message_id, m.provider_message_id),
        sent_at = case when r.status = 'SUCCESS' then to_timestamp(r.at / 1000) end,
        unknown_since = ${plain ? sql`null` : sql`case when r.unknown then now() end`} ${ifDeferred(DEFERRING)}
      from unnest(${of('uuid', ({ message }) => message.id)}, ${of('timestamptz', ({ message }) => message.createdAt)},
        ${of('smallint', ({ message }) => message.attempts)}, ${of('text', ({ status }) => status)},
        ${of('text', ({ providerMessageId }) => providerMessageId)}, ${of('text', ({ reason }) => reason)},
        ${of('text', ({ code }) => code)}, ${of('float8', ({ at }) => at)}${ifDeferred(sql`,
        ${of('timestamptz', ({ notBefore }) => notBefore)}, ${of('timestamptz', ({ message }) => message.claim.at)},
        ${of('boolean', ({ unknown }) => unknown)}`)}
      ) as r (id, created_at, attempts, status, provider_message_id, reason, code, at${ifDeferred(
        sql`, not_before, claimed_at, unknown`,
      )})
      where ${FEW} and m.id = r.id and m.created_at = r.created_at and m.attempts = r.attempts - 1
        and (m.status = 'PENDING' or (m.status = 'FAILED_WITH_EXCEPTION' and m.error_code = ${UNKNOWN_OUTCOME}
          and r.status <> 'PENDING'))
      returning m.id, m.created_at, m.lane_id, m.status, m.provider_message_id, m.account_id, m.batch_id, m.channel,
        m.price_micros
    ), named as (
      insert into carrier_ids select lane_id, provider_message_id, created_at, id from written
      where status = 'SUCCESS' and provider_message_id is not null
    )
    select id, status, account_id as "accountId", case when status = 'FAILED' then batch_id end as "batchId",
      case when status = 'FAILED' then channel end as channel,
      case when status = 'FAILED' then price_micros end as "priceMicros" from written`.execute(db);
  return rows;
};

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
