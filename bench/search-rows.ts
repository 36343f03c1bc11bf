import { sql } from 'kysely';
import type { AccountId } from '../contract/accounts.ts';
import type { Db } from '../server/postgres/index.ts';

const DAYS = 60;
/** Each account is a third smaller than the one before it, down to a few messages. */
const SHRINK = 1.2;

/** The texts; the numbers make each of them different. */
const TEXTS = [
  'Your verification code is {}. It is valid for ten minutes.',
  'Dear customer {}, your parcel is out for delivery today between 2 and 4 pm.',
  'Reminder: your appointment {} is tomorrow at half past nine. Reply 1 to confirm.',
  'Weekend sale! Everything 20% off with coupon SAVE{}. Reply STOP to opt out.',
  '您的驗證碼為 {}，請於十分鐘內輸入。',
  '親愛的客戶，閣下的訂單 {} 已經寄出，預計明天送達。',
  '提提您：您的預約 {} 將於明天上午九時半開始。',
];

/** Indexes that are rebuilt after a load; all others stay. */
const dropIndexes = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename in ('messages', 'message_texts') and indexname not like '%pkey'`.execute(db);
  for (const { name } of rows) await sql`drop index ${sql.ref(name)}`.execute(db);
  return rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '));
};

const insertSome = (db: Db, accounts: AccountId[], count: number) =>
  sql`
    with weights as (
      select id, place, sum(1 / power(place, ${SHRINK})) over (order by place) as upto
      from unnest(${accounts}::uuid[]) with ordinality as given (id, place)
    ), bounds as (
      select array_agg(upto / (select max(upto) from weights) order by place) as upto,
        array_agg(id order by place) as ids from weights
    ), drawn as (
      select now() - random() * ${DAYS} * interval '1 day' as at, random() as who, random() as fate,
        (random() * 99999999)::int as figure
      from generate_series(1, ${count})
    )
    insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, country, sender,
      message, segment, price_micros, provider_message_id, sent_at, delivered_at, created_at, updated_at)
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7'
        || substr(md5(figure::text || fate::text), 1, 3) || '8' || substr(md5(who::text || figure::text), 1, 15))::uuid,
      bounds.ids[width_bucket(who, bounds.upto) + 1], 1 + figure % 3, (array['sms', 'sms', 'whatsapp', 'email'])[1 + figure % 4],
      case when figure % 20 = 0 then 'incoming' else 'outgoing' end,
      case when fate < 0.97 or figure % 20 = 0 then 'SUCCESS' when fate < 0.995 then 'FAILED'
        when fate < 0.998 then 'CANCELLED' when fate < 0.9999 then 'FAILED_WITH_EXCEPTION' else 'PENDING' end,
      '6' || lpad((figure % 9999999)::text, 7, '0'), '+8526' || lpad((figure % 9999999)::text, 7, '0'), 'HK',
      '+8525' || lpad((figure % 7919)::text, 7, '0'),
      replace((${TEXTS}::text[])[1 + figure % ${TEXTS.length}], '{}', figure::text), 1, 32051, figure::text, at, at, at, at
    from drawn cross join bounds order by at`.execute(db);

/**
 * Adds this many messages of very different accounts over the last days, with counters and texts as the program stores
 * them.
 */
export const addMessages = async (db: Db, accounts: AccountId[], count: number): Promise<void> => {
  for (let months = 0; months * 28 < DAYS + 31; months += 1)
    await sql`select messages_make_partition((now() - make_interval(months => ${months}))::date)`.execute(db);
  const CHUNK = 500_000;
  const indexes = await dropIndexes(db);
  await sql`alter table messages disable trigger user`.execute(db);
  for (let done = 0; done < count; done += CHUNK)
    await insertSome(db, accounts, Math.min(CHUNK, count - done));
  await sql`alter table messages enable trigger user`.execute(db);
  await sql`truncate message_texts, message_counts`.execute(db);
  await sql`
    insert into message_counts
    select date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00'),
      coalesce(account_id, '00000000-0000-0000-0000-000000000000'), channel, type, status, test, country,
      price_micros / greatest(segment, 1), count(*), sum(segment), sum(price_micros)
    from messages group by grouping sets ((1, account_id, 3, 4, 5, 6, 7, 8), (1, 3, 4, 5, 6, 7, 8))
    order by 1, 2`.execute(db);
  // In the order in which the program's task writes them: an hour at a time, each account's together.
  await sql`
    insert into message_texts select account_id, created_at, id, lower(message) from messages
    where created_at < now() - interval '1 minute'
    order by date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00'), account_id, created_at, id`.execute(
    db,
  );
  await sql`update message_texts_progress set done_until = now() - interval '1 minute'`.execute(db);
  for (const definition of indexes) await sql.raw(definition).execute(db);
  await sql`vacuum (analyze) messages, message_texts, message_counts`.execute(db);
};

/** One for each failed message of an account: more than in production, where those of a moment share one. */
export const addRefunds = async (db: Db, accountId: AccountId): Promise<void> => {
  await sql`alter table ledger_entries disable trigger user`.execute(db);
  await sql`
    insert into ledger_entries (account_id, kind, cause, request_hash, available_micros,
      balance_micros, details, created_at)
    select account_id, 'REFUND', 'message:' || id, '', price_micros, 0,
      jsonb_build_object('channel', channel, 'messages', 1), created_at
    from messages where account_id = ${accountId} and status = 'FAILED' on conflict do nothing`.execute(db);
  await sql`alter table ledger_entries enable trigger user`.execute(db);
  await sql`vacuum (analyze) ledger_entries`.execute(db);
};
