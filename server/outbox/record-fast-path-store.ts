import { sql } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import { column, type Db, prepared } from '../postgres/index.ts';
import { IS_LATE_ENOUGH, type ReceiptSummary } from './receipt-store.ts';
import { emptiedBy, FEW, type Result } from './result-store.ts';

/** What `require_fast_path` raises, and a missing table: that month was dropped. */
const NOT_FAST_PATH = new Set(['PH001', '42P01']);
const MONTH = /^\d{4}_\d{2}$/;

export class NotFastPath extends Error {
  code = 'PH001';
}

/** The partition of a month: one table is planned and locked faster than all of them. */
const ofMonth = (table: 'messages' | 'carrier_ids', month: string) => {
  if (!MONTH.test(month)) throw new NotFastPath('not a month');
  return sql.table(`${table}_${month}`);
};

/** Writes the carrier's acceptances of a month's messages. */
export const writeResultsFast = async (
  db: Db,
  { laneId, month, results }: { laneId: number; month: string; results: Result[] },
): Promise<void> => {
  const of = (type: Parameters<typeof column>[0], value: (result: Result) => unknown) =>
    column(type, results.map(value));
  await sql`${prepared('results-fast-path')}
    with emptied as (delete from claims where id = any(${emptiedBy(results)}::bigint[]) returning id),
    written as (
      update ${ofMonth('messages', month)} m set status = 'SUCCESS', reason = '', error_code = '', updated_at = now(),
        attempts = r.attempts, provider_message_id = r.provider_message_id, sent_at = to_timestamp(r.at / 1000),
        unknown_since = null
      from unnest(${of('uuid', ({ message }) => message.id)}, ${of('timestamptz', ({ message }) => message.createdAt)},
        ${of('smallint', ({ message }) => message.attempts)},
        ${of('text', ({ providerMessageId }) => providerMessageId)}, ${of('float8', ({ at }) => at)}
      ) as r (id, created_at, attempts, provider_message_id, at)
      -- A claim is locked before its messages.
      where (select count(*) from emptied) >= 0
        and ${FEW}
        and m.id = r.id and m.created_at = r.created_at and m.attempts = r.attempts - 1 and m.status = 'PENDING'
      returning m.id, m.created_at, m.lane_id, m.provider_message_id
    ), named as (
      insert into ${ofMonth('carrier_ids', month)} (lane_id, provider_message_id, created_at, message_id)
      select lane_id, provider_message_id, created_at, id from written
    )
    select require_fast_path(count(*) = ${results.length} and not (
      exists (select from early_receipts where lane_id = ${laneId}) and exists (
        select from early_receipts where lane_id = ${laneId}
          and provider_message_id in (select provider_message_id from written)))) from written`.execute(db);
};

/** Writes deliveries of this month's messages that were sent and are not known to be delivered; the accounts they belong to. */
export const writeReceiptsFast = async (
  db: Db,
  { laneId, month, summaries }: { laneId: number; month: string; summaries: ReceiptSummary[] },
): Promise<AccountId[]> => {
  const { rows } = await sql<{ accountIds: AccountId[] }>`${prepared('receipts-fast-path')}
    with found as materialized (
      select given.delivered_at, c.* from unnest(${column(
        'text',
        summaries.map(({ providerMessageId }) => providerMessageId),
      )}, ${column(
        'timestamptz',
        summaries.map(({ deliveredAt }) => deliveredAt),
      )}) as given (provider_message_id, delivered_at) cross join lateral (
        select created_at, message_id from ${ofMonth('carrier_ids', month)} c
        where c.lane_id = ${laneId} and c.provider_message_id = given.provider_message_id
          and ${IS_LATE_ENOUGH}
        order by c.created_at desc limit 1
      ) c
    ), changed as (
      update ${ofMonth('messages', month)} m set updated_at = now(), error_code = '', reason = '',
        delivered_at = found.delivered_at
      from found
      -- The first two are true for all rows, and make the planner look up each by its key.
      where found.created_at > '-infinity' and found.delivered_at > '-infinity'
        and m.id = found.message_id and m.created_at = found.created_at and m.status = 'SUCCESS'
        and m.delivered_at is null
      returning m.account_id
    )
    select array_agg(distinct account_id) as "accountIds", require_fast_path(count(*) = ${summaries.length}
      and ${month} = to_char(now() at time zone 'UTC', 'YYYY_MM')) from changed`.execute(db);
  return rows[0]?.accountIds ?? [];
};

export const isNotFastPath = (error: unknown): boolean =>
  NOT_FAST_PATH.has((error as { code?: string }).code ?? '');
