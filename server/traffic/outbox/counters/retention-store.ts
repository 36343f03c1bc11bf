import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Erasure, PieceCursor } from '../../../ground/erasure/index.ts';
import type { Db } from '../../../ground/postgres/index.ts';

/**
 * What identifies people: who, what, and the carrier's id. Counters contain none of it. A device is no person, and
 * counters contain it: without it the bills of past months would change.
 */
const NAMED = sql`(m.recipient <> '' or m.recipient_raw <> '' or m.message <> ''
  or (m.sender is not null and message_device(m.sender) = '')
  or m.subject is not null or m.html is not null or m.content is not null or m.provider_message_id is not null
  or m.reason <> '' or m.tries is not null or m.parts is not null)`;

const counted = async (db: Db, what: ReturnType<typeof sql>): Promise<number> => {
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from ${what}`.execute(db);
  return Number(rows[0]?.count ?? 0n);
};

/** Before every message. */
const START = '-infinity 00000000-0000-0000-0000-000000000000';

/** From one mark to the next, both as `time id`: a span of the account's index, in a month or two. */
const between = (accountId: AccountId, after: PieceCursor, to: PieceCursor) => {
  const place = (mark: PieceCursor) => {
    const [at, id] = mark.split(' ');
    return sql`(${at}::timestamptz, ${id}::uuid)`;
  };
  return sql`account_id = ${accountId} and (created_at, id) > ${place(after)} and (created_at, id) <= ${place(to)}`;
};

/** The mark after this many more messages, and how many there are up to it. */
const findNext = async (
  db: Db,
  { accountId, after, limit }: { accountId: AccountId; after: PieceCursor; limit: number },
): Promise<{ to: PieceCursor; read: number }> => {
  const [at, id] = after.split(' ');
  const { rows } = await sql<{ to: PieceCursor | null; read: number }>`
    with page as materialized (
      select id, created_at from messages
      where account_id = ${accountId} and (created_at, id) > (${at}::timestamptz, ${id}::uuid)
      order by created_at, id limit ${limit}
    )
    select count(*)::int as read,
      (select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || ' ' || id
        from page order by created_at desc, id desc limit 1) as to
    from page`.execute(db);
  return { to: rows[0]?.to ?? after, read: rows[0]?.read ?? 0 };
};

const latest = (rows: { createdAt: Date }[]): Date | undefined =>
  rows.length === 0 ? undefined : new Date(Math.max(...rows.map(({ createdAt }) => createdAt.getTime())));

/** The carriers' ids are stored in a second table too, and in a third what admins said of messages. */
const unnaming = (accountId: AccountId, after: PieceCursor, to: PieceCursor) => sql`
  with named as (
    select lane_id, provider_message_id, created_at, id from messages
    where ${between(accountId, after, to)} and status <> 'PENDING' and provider_message_id is not null
    union all
    select m.lane_id, part ->> 'id', m.created_at, m.id
    from messages m cross join lateral jsonb_array_elements(m.parts) part
    where ${between(accountId, after, to)} and m.status <> 'PENDING' and part ? 'id'
  ), unnamed as (
    delete from carrier_ids c using named where c.lane_id = named.lane_id and c.created_at = named.created_at
      and c.provider_message_id = named.provider_message_id and c.message_id = named.id
  ), unresolved as (
    delete from resolutions where message_id in (select id from messages where ${between(accountId, after, to)})
  )`;

/**
 * Removes texts, numbers and names; the record stays: when, by which channel, to which country, its outcome and its
 * cost. A message that still waits is left as it is; it has to be cancelled first.
 */
export const namedMessages: Erasure = {
  count: async (db, accountId) =>
    (await counted(db, sql`messages m where m.account_id = ${accountId} and ${NAMED}`)) +
    (await counted(db, sql`batches where account_id = ${accountId} and kind = 'CSV' and file_name <> ''`)),
  remove: async (trx, { accountId, after = START, limit }) => {
    const { to, read } = await findNext(trx, { accountId, after, limit });
    // The name of a file may name people.
    await sql`update batches set file_name = ''
      where account_id = ${accountId} and kind = 'CSV' and file_name <> ''`.execute(trx);
    const { rows } = await sql<{ createdAt: Date }>`
      ${unnaming(accountId, after, to)}
      update messages m set recipient = '', recipient_raw = '', sender = nullif(message_device(m.sender), ''),
        message = '', subject = null, html = null, content = null, provider_message_id = null, reason = '', tries = null,
        parts = null
      where ${between(accountId, after, to)} and status <> 'PENDING' and ${NAMED}
      returning created_at as "createdAt"`.execute(trx);
    return { rows: rows.length, upTo: latest(rows), next: read < limit ? undefined : to };
  },
};

/**
 * The records themselves. Counters, prices and the ledger stay as they are, and so do batches, which show what a ledger
 * entry paid for.
 */
export const messageRecords: Erasure = {
  count: (db, accountId) => counted(db, sql`messages where account_id = ${accountId}`),
  remove: async (trx, { accountId, after = START, limit }) => {
    await sql`select set_config('posthorn.retention', 'on', true)`.execute(trx);
    const { to, read } = await findNext(trx, { accountId, after, limit });
    const { rows } = await sql<{ createdAt: Date }>`
      ${unnaming(accountId, after, to)}
      delete from messages where ${between(accountId, after, to)} returning created_at as "createdAt"`.execute(
      trx,
    );
    return { rows: rows.length, upTo: latest(rows), next: read < limit ? undefined : to };
  },
};

interface Month {
  /** Such as 2026_11. */
  name: string;
  end: Date;
}

/** Months of messages that ended before the given moment. */
export const listMonthsBefore = async (db: Db, before: Date): Promise<Month[]> => {
  const { rows } = await sql<Month>`
    select name, end_at as end from (
      select right(relname, 7) as name,
        ((to_date(right(relname, 7), 'YYYY_MM') + interval '1 month')::timestamp at time zone 'UTC') as end_at
      from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'messages'::regclass
    ) months
    where end_at <= ${before} order by end_at`.execute(db);
  return rows;
};

/**
 * Drops a whole month if all of it belongs to the given accounts; returns how many messages were dropped, or undefined
 * if it has to stay. Owners are found account by account in the index. Readers and senders wait behind it no longer
 * than a lock is requested, a tenth of a second each; without the locks the month is left for the next run.
 */
export const dropMonth = async (
  trx: Db,
  { name, accountIds }: { name: string; accountIds: AccountId[] },
): Promise<number | undefined> => {
  const messages = sql.table(`messages_${name}`);
  const { rows: others } = await sql`
    with recursive owners as (
      (select account_id from ${messages} order by account_id limit 1)
      union all
      select (select account_id from ${messages} where account_id > owners.account_id order by account_id limit 1)
      from owners where owners.account_id = any(${accountIds}::uuid[])
    )
    select from owners where account_id is not null and not account_id = any(${accountIds}::uuid[])`.execute(
    trx,
  );
  if (others.length > 0) return undefined;
  const rows = await counted(trx, messages as never);
  await sql`set local lock_timeout = '100ms'`.execute(trx);
  for (const parent of ['messages', 'carrier_ids']) {
    const month = sql.table(`${parent}_${name}`);
    await sql`alter table ${sql.table(parent)} detach partition ${month}`.execute(trx);
    await sql`drop table ${month}`.execute(trx);
  }
  return rows;
};
