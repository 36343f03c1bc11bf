import { sql } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import { byIndexes, column, type Db, prepared, steadyOf } from '../postgres/index.ts';
import type { OutboxDeps } from './outbox-deps.ts';
import { IS_LATE_ENOUGH, type Word } from './receipt-store.ts';
import { emptiedBy, FEW, type Result } from './result-store.ts';

/** What `require_plain` raises; and that there is no such table: of a month that is gone. */
const NOT_PLAIN = new Set(['PH001', '42P01']);
/** After something was not plain the next ones go the long way at once, instead of trying in vain. */
const REST_MS = 1_000;
const MONTH = /^\d{4}_\d{2}$/;

class NotPlain extends Error {
  code = 'PH001';
}

const HOUR = sql`date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00')`;

/** The table in which a month's rows are: the counters' triggers are not on it, so whoever writes there counts. */
const ofMonth = (table: 'messages' | 'carrier_ids', month: string) => {
  if (!MONTH.test(month)) throw new NotPlain('not a month');
  return sql.table(`${table}_${month}`);
};

/** Answers of a month. Of the messages `written` it counts what the triggers would: so many wait less, and are sent. */
const writePlainResults = async (
  db: Db,
  { laneId, month, results }: { laneId: number; month: string; results: Result[] },
): Promise<void> => {
  const of = (type: Parameters<typeof column>[0], value: (result: Result) => unknown) =>
    column(type, results.map(value));
  await sql`${prepared('results-at-once')}
    with emptied as (delete from hands where id = any(${emptiedBy(results)}::bigint[]) returning id),
    written as (
      update ${ofMonth('messages', month)} m set status = 'SUCCESS', reason = '', error_code = '', updated_at = now(),
        attempts = r.attempts, provider_message_id = r.provider_message_id, sent_at = to_timestamp(r.at / 1000),
        unknown_since = null
      from unnest(${of('uuid', ({ message }) => message.id)}, ${of('timestamptz', ({ message }) => message.createdAt)},
        ${of('smallint', ({ message }) => message.attempts)},
        ${of('text', ({ providerMessageId }) => providerMessageId)}, ${of('float8', ({ at }) => at)}
      ) as r (id, created_at, attempts, provider_message_id, at)
      -- Whoever takes a hand takes its messages after it.
      where (select count(*) from emptied) >= 0
        and ${FEW}
        and m.id = r.id and m.created_at = r.created_at and m.attempts = r.attempts - 1 and m.status = 'PENDING'
      returning m.id, m.created_at, m.lane_id, m.provider_message_id, m.account_id, m.channel, m.type, m.test,
        m.country, m.segment, m.price_micros
    ), named as (
      insert into ${ofMonth('carrier_ids', month)} (lane_id, provider_message_id, created_at, message_id)
      select lane_id, provider_message_id, created_at, id from written
    ), counted as (
      insert into message_counts (hour, account_id, channel, type, status, test, country, unit_micros, messages,
        segments, price_micros)
      select hour, coalesce(account_id, '00000000-0000-0000-0000-000000000000'), channel, type, change.status, test,
        country, unit_micros, sign * messages, sign * segments, sign * total
      from (
        select ${HOUR} as hour, account_id, channel, type, test, country,
          price_micros / greatest(segment, 1) as unit_micros, count(*) as messages, sum(segment) as segments,
          sum(price_micros) as total
        from written
        group by grouping sets ((1, account_id, 3, 4, 5, 6, 7), (1, 3, 4, 5, 6, 7))
      ) sums cross join (values ('SUCCESS', 1), ('PENDING', -1)) as change (status, sign)
    )
    select require_plain(count(*) = ${results.length} and not (
      exists (select from early_receipts where lane_id = ${laneId}) and exists (
        select from early_receipts where lane_id = ${laneId}
          and provider_message_id in (select provider_message_id from written)))) from written`.execute(db);
};

/** Deliveries of messages of this month that were sent and not known to be delivered. Answers whose they were. */
const writePlainReceipts = async (
  db: Db,
  { laneId, month, words }: { laneId: number; month: string; words: Word[] },
): Promise<AccountId[]> => {
  const { rows } = await sql<{ accountIds: AccountId[] }>`${prepared('receipts-at-once')}
    with found as materialized (
      select given.delivered_at, c.* from unnest(${column(
        'text',
        words.map(({ providerMessageId }) => providerMessageId),
      )}, ${column(
        'timestamptz',
        words.map(({ deliveredAt }) => deliveredAt),
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
      -- The first two are true of all, and make the planner look up each by its key.
      where found.created_at > '-infinity' and found.delivered_at > '-infinity'
        and m.id = found.message_id and m.created_at = found.created_at and m.status = 'SUCCESS'
        and m.delivered_at is null
      returning m.account_id, m.created_at, m.test, m.price_micros
    ), counted as (
      insert into delivery_counts (hour, account_id, messages)
      select ${HOUR}, account_id, count(*) from changed where not (test and price_micros = 0) group by 1, 2
    )
    select array_agg(distinct account_id) as "accountIds", require_plain(count(*) = ${words.length}
      and ${month} = to_char(now() at time zone 'UTC', 'YYYY_MM')) from changed`.execute(db);
  return rows[0]?.accountIds ?? [];
};

interface Flush {
  results: Result[];
  words: Word[];
}

const thisMonth = (): string => new Date().toISOString().slice(0, 7).replace('-', '_');

/**
 * Writes what most flushes are made of with as little as possible: messages that were taken by the carrier, and
 * deliveries, of which nobody wants to be told. It changes one month's tables, where it has to count by itself.
 * Anything else is for the long way: nothing of it is left then, and the answer is no.
 */
export const openRecordAtOnce = ({ db, isTold }: Pick<OutboxDeps, 'db' | 'isTold'>, laneId: number) => {
  let restUntil = 0;

  const accountsOf = (results: Result[]): AccountId[] => [
    ...new Set(results.map(({ message }) => message.accountId)),
  ];
  const isPlain = ({ results, words }: Flush): boolean =>
    results.every(
      ({ status, providerMessageId, message }) =>
        status === 'SUCCESS' && providerMessageId !== null && message.month === results[0]?.message.month,
    ) &&
    words.every(
      ({ deliveredAt, readAt, failedCode }) => deliveredAt !== null && readAt === null && failedCode === null,
    ) &&
    !isTold(accountsOf(results));
  const requireUntold = (accountIds: AccountId[]): void => {
    if (accountIds.length > 0 && isTold(accountIds)) throw new NotPlain('somebody wants to be told');
  };

  const writeAll = async (trx: Db, { results, words }: Flush): Promise<void> => {
    // Once more: whoever came while a connection was waited for is to be told.
    requireUntold(accountsOf(results));
    const [first] = results;
    if (first) await writePlainResults(trx, { laneId, month: first.message.month, results });
    if (words.length > 0) requireUntold(await writePlainReceipts(trx, { laneId, month: thisMonth(), words }));
  };
  /** One statement is a transaction by itself. */
  const write = (flush: Flush): Promise<void> =>
    flush.words.length === 0
      ? steadyOf(db)
          .connection()
          .execute((connection) => writeAll(connection, flush))
      : byIndexes(db, (trx) => writeAll(trx, flush));

  return async (flush: Flush): Promise<boolean> => {
    if (performance.now() < restUntil || !isPlain(flush)) return false;
    try {
      await write(flush);
      return true;
    } catch (error) {
      if (!NOT_PLAIN.has((error as { code?: string }).code ?? '')) throw error;
      restUntil = performance.now() + REST_MS;
      return false;
    }
  };
};
