import { sql } from 'kysely';
import type { AccountId } from '../../contract/customer/accounts.ts';
import type { Db } from '../../server/ground/postgres/index.ts';

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

const LANES = 20;
/** The name of all that hardly any message has: its lane, phone, provider and carrier. */
export const RARE = 'rare';
/** Of its messages in all these days, however many others there are: a page of them reaches back for a week. */
const RARE_MESSAGES = 400;

/** Ways out, half of them of phones, before there are messages. */
const addLanes = async (db: Db): Promise<void> => {
  await sql`
    with made as (
      insert into phones (id, name, slot, sim_host, sms_active, last_heartbeat_at)
      select gen_random_uuid(), case n when 0 then ${RARE} else 'phone-' || n end,
        (array['SIM 01', 'SIM 02', 'SIM 03', 'WA 01'])[1 + n % 4], 'host-' || n / 4, true, now()
      from generate_series(0, ${LANES / 2}) n on conflict (name) do nothing returning id, name
    )
    insert into lanes (name, channel, provider, carrier, simulated, source, phone_id, phone_name, method, up)
    select name || '.sim', 'sms', case name when ${RARE} then ${RARE} else 'modem' end, '', false, 'phone', id, name,
      case name when ${RARE} then 'gammu' else 'sim-modem' end, true from made
    union all
    select 'lane-' || n, (array['sms', 'whatsapp', 'email'])[1 + n % 3], (array['smpp', 'cloud', 'twilio'])[1 + n % 3],
      (array['HKT', ''])[1 + n % 2], false, 'admin', null, '', '', true
    from generate_series(1, ${LANES / 2}) n
    on conflict (name) do nothing`.execute(db);
};

/** Some of a day, so many days ago, in the order of time as the program stores them. */
const insertDay = (db: Db, accounts: AccountId[], { daysAgo, count }: { daysAgo: number; count: number }) =>
  sql`
    with weights as (
      select id, place, sum(1 / power(place, ${SHRINK})) over (order by place) as upto
      from unnest(${accounts}::uuid[]) with ordinality as given (id, place)
    ), bounds as (
      select array_agg(upto / (select max(upto) from weights) order by place) as upto,
        array_agg(id order by place) as ids from weights
    ), drawn as (
      select now() - (${daysAgo} - random()) * interval '1 day' as at, random() as who, random() as fate,
        (random() * 99999999)::int as figure, exp(random() * 9) * interval '10 ms' as took
      from generate_series(1, ${count})
    ), ways as (
      select array_agg(id order by id) as ids, array_agg(channel order by id) as channels from lanes
      where provider <> ${RARE}
    )
    insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, country, sender,
      message, segment, price_micros, cost_micros, carrier, provider_message_id, sent_at, delivered_at, created_at,
      updated_at, unknown_since)
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7'
        || substr(md5(figure::text || fate::text), 1, 3) || '8' || substr(md5(who::text || figure::text), 1, 15))::uuid,
      bounds.ids[width_bucket(who, bounds.upto) + 1],
      ways.ids[1 + figure % cardinality(ways.ids)], ways.channels[1 + figure % cardinality(ways.ids)],
      case when figure / 20 % 20 = 0 then 'incoming' else 'outgoing' end, s.status,
      '6' || lpad((figure % 9999999)::text, 7, '0'), '+8526' || lpad((figure % 9999999)::text, 7, '0'),
      (array['HK', 'HK', 'HK', 'SG', 'CN'])[1 + figure / 11 % 5],
      '+8525' || lpad((figure % 7919)::text, 7, '0'),
      replace((${TEXTS}::text[])[1 + figure % ${TEXTS.length}], '{}', figure::text), 1, 32051, 21000,
      (array['csl', 'three', 'smartone', null])[1 + figure / 7 % 4], figure::text, at + took, at + took, at, at + took,
      case when s.status = 'FAILED_WITH_EXCEPTION' then at + took end
    from drawn cross join bounds cross join ways cross join lateral (
      select case when fate < 0.97 or figure / 20 % 20 = 0 then 'SUCCESS' when fate < 0.995 then 'FAILED'
        when fate < 0.998 then 'CANCELLED' when fate < 0.9999 then 'FAILED_WITH_EXCEPTION' else 'PENDING' end as status
    ) s order by at`.execute(db);

/** What hardly any message has, evenly over all days: some of the others become it. */
const makeRare = (db: Db) =>
  sql`
    update messages m set lane_id = l.id, channel = 'sms', carrier = ${RARE}, country = 'KH'
    from lanes l, (
      select distinct on (m.created_at) m.id, m.created_at from generate_series(1, ${RARE_MESSAGES}) n
      cross join lateral (
        select id, created_at from messages
        where created_at >= now() - n * interval '1 day' * ${DAYS} / ${RARE_MESSAGES}
        order by created_at limit 1
      ) m
    ) chosen
    where l.provider = ${RARE} and m.id = chosen.id and m.created_at = chosen.created_at`.execute(db);

/**
 * The partitions of these days; unlogged, because nobody needs the bench's messages after a crash. Until all is stored
 * no autovacuum disturbs.
 */
const makePartitions = async (db: Db): Promise<string[]> => {
  for (let months = 0; months * 28 < DAYS + 31; months += 1)
    await sql`select messages_make_partition((now() - make_interval(months => ${months}))::date)`.execute(db);
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent in ('messages'::regclass, 'message_texts'::regclass)`.execute(db);
  for (const { name } of rows) {
    await sql`alter table ${sql.ref(name)} set unlogged`.execute(db);
    await sql`alter table ${sql.ref(name)} set (autovacuum_enabled = off)`.execute(db);
  }
  return rows.map(({ name }) => name);
};

/** Days of the same month one after the other, so that they lie in their table in the order of time. */
const insertAll = async (
  db: Db,
  accounts: AccountId[],
  { count, partitions }: { count: number; partitions: string[] },
): Promise<void> => {
  const days = Array.from({ length: DAYS }, (_, n) => DAYS - n);
  const isEven = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).getUTCMonth() % 2 === 1;
  const ofMessages = partitions.filter((name) => name.startsWith('messages_'));
  await Promise.all(
    [true, false].map(async (even) => {
      for (const daysAgo of days.filter((day) => isEven(day) === even))
        await insertDay(db, accounts, { daysAgo, count: Math.ceil(count / DAYS) });
      // Before anything reads them: otherwise each page would be written twice more.
      for (const name of ofMessages.filter((one) => (Number(one.slice(-2)) % 2 === 0) === even))
        await sql`vacuum ${sql.ref(name)}`.execute(db);
    }),
  );
};

const SINCE = sql`date_bin('8 hours', hour, timestamptz '2000-01-01 00:00+00')`;
const HOUR = sql`date_bin('1 hour', created_at, timestamptz '2000-01-01 00:00+00')`;

/** Counters and texts as the program stores them, from what is there. */
const storeDerived = async (db: Db): Promise<void> => {
  const byAccount = () =>
    sql`
      insert into message_counts
      select ${HOUR}, coalesce(account_id, '00000000-0000-0000-0000-000000000000'), channel, type, status, test,
        country, price_micros / greatest(segment, 1), count(*), sum(segment), sum(price_micros)
      from messages group by grouping sets ((1, account_id, 3, 4, 5, 6, 7, 8), (1, 3, 4, 5, 6, 7, 8))
      order by 1, 2`.execute(db);
  const byLane = () =>
    sql`
      insert into lane_counts
      select ${HOUR}, lane_id, channel, type, status, test, country, coalesce(carrier, ''), count(*), sum(segment),
        sum(price_micros), sum(cost_micros), true
      from messages group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 2`.execute(db);
  const byDuration = () =>
    sql`
      insert into duration_counts
      select hour, lane_id, country, carrier, bucket, count(*), true from (
        select ${HOUR} as hour, lane_id, country, coalesce(carrier, '') as carrier,
          duration_bucket(created_at, sent_at) as bucket
        from messages where status = 'SUCCESS' and type = 'outgoing'
      ) timed
      group by grouping sets ((hour, lane_id, bucket), (hour, country, bucket), (hour, carrier, bucket))
      order by 1`.execute(db);
  // In the order in which the program's task writes them: an hour at a time, each account's together.
  const texts = () =>
    sql`
      insert into message_texts select account_id, created_at, id, lower(message) from messages
      where created_at < now() - interval '1 minute' order by ${HOUR}, account_id, created_at, id`.execute(
      db,
    );
  const laneSums = () =>
    sql`
      insert into lane_sums
      select ${SINCE}, lane_id, channel, status, country, carrier, sum(messages), sum(price_micros), sum(cost_micros)
      from lane_counts where type = 'outgoing' group by 1, 2, 3, 4, 5, 6 order by 1, 2`.execute(db);
  const durationSums = () =>
    sql`
      insert into duration_sums
      select ${SINCE}, lane_id, country, carrier, bucket, sum(messages) from duration_counts
      group by 1, 2, 3, 4, 5 order by 1, 2`.execute(db);
  await Promise.all([byAccount(), byLane().then(laneSums)]);
  await Promise.all([byDuration().then(durationSums), texts()]);
  await sql`update message_texts_progress set done_until = now() - interval '1 minute'`.execute(db);
  // As many rows as flushes leave in an hour.
  await sql`
    insert into traffic_counts
    select date_trunc('minute', now()) - n % 60 * interval '1 minute', 64, 60, 1, 2
    from generate_series(1, 20000) n`.execute(db);
};

const COUNTERS = sql`message_counts, lane_counts, lane_sums, duration_counts, duration_sums, traffic_counts`;

/** Stores this many messages of very different accounts over the last days, in place of those before. */
export const storeMessages = async (db: Db, accounts: AccountId[], count: number): Promise<void> => {
  const partitions = await makePartitions(db);
  await addLanes(db);
  await sql`truncate messages, message_texts, ${COUNTERS}`.execute(db);
  const indexes = await dropIndexes(db);
  await sql`alter table messages disable trigger user`.execute(db);
  await insertAll(db, accounts, { count, partitions });
  // By this one rare messages are chosen.
  const [first] = indexes.filter((definition) => definition.includes('messages_created '));
  if (first) await sql.raw(first).execute(db);
  await makeRare(db);
  await sql`alter table messages enable trigger user`.execute(db);
  await storeDerived(db);
  for (const definition of indexes) if (definition !== first) await sql.raw(definition).execute(db);
  await sql`vacuum (analyze) messages, message_texts, ${COUNTERS}`.execute(db);
  for (const name of partitions)
    await sql`alter table ${sql.ref(name)} reset (autovacuum_enabled)`.execute(db);
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
