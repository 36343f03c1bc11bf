import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDelivery, scriptedCarrier, type TestDelivery } from '../../../../test/delivery.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { summarizeMessages } from './new-message-store.ts';

const COUNT = 20_000;
/** Of the indexes, see messages_rare. */
const RANGE_PAGES = 32;
let room: TestDelivery;
let table: string;
beforeAll(async () => {
  room = await openTestDelivery();
  const accountId = await room.funded();
  const lane = await room.addLane(() => scriptedCarrier().carrier);
  const { rows } = await sql<{ name: string }>`
    select 'messages_' || to_char(now() at time zone 'UTC', 'YYYY_MM') as name`.execute(room.db);
  table = rows[0]?.name ?? '';
  // A vacuum of its own would keep the ranges from being summarized just then.
  await sql`alter table ${sql.ref(table)} set (autovacuum_enabled = false)`.execute(room.db);
  await sql`insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, country,
      message, created_at, updated_at)
    select gen_random_uuid(), ${accountId}, ${lane.id}, 'sms', 'outgoing', 'SUCCESS', '', '+85261112222', 'HK',
      repeat('x', 100), now(), now()
    from generate_series(1, ${COUNT})`.execute(room.db);
  await sql`analyze messages`.execute(room.db);
});
afterAll(async () => {
  expect(await room.miscounted()).toEqual([]);
  await room.close();
});

const pagesOf = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ pages: bigint }>`
    select pg_relation_size(${table}::regclass) / current_setting('block_size')::int as pages`.execute(db);
  return Number(rows[0]?.pages);
};

interface Node {
  'Lossy Heap Blocks'?: number;
  'Exact Heap Blocks'?: number;
  'Actual Rows': number;
  Plans?: Node[];
}
const pagesRead = (node: Node): number =>
  (node['Lossy Heap Blocks'] ?? 0) +
  (node['Exact Heap Blocks'] ?? 0) +
  (node.Plans ?? []).reduce((sum, one) => sum + pagesRead(one), 0);

class Undone extends Error {}

/** How many pages a search reads, and how many it finds, when only the two indexes of ranges can help it. */
const readThrough = async (filter: RawBuilder<unknown>): Promise<{ pages: number; found: number }> => {
  const seen = { pages: Number.NaN, found: Number.NaN };
  await room.db
    .transaction()
    .execute(async (trx) => {
      await sql`drop index messages_created, messages_account`.execute(trx);
      await sql`set local enable_seqscan = off`.execute(trx);
      const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Node }] }>`explain (analyze, format json)
        select id from messages where created_at >= now() - interval '1 day' and created_at < now() + interval '1 day'
          and ${filter}`.execute(trx);
      const plan = rows[0]?.['QUERY PLAN'][0].Plan;
      if (plan) Object.assign(seen, { pages: pagesRead(plan), found: plan['Actual Rows'] });
      throw new Undone();
    })
    .catch((error) => {
      if (!(error instanceof Undone)) throw error;
    });
  return seen;
};

it('an outcome is written on the page of its message and changes no index but those of the ranges', async () => {
  await summarizeMessages(room.db);
  await room.db.transaction().execute(async (trx) => {
    const { numAffectedRows } = await sql`
      update messages set status = 'FAILED', updated_at = clock_timestamp(), sent_at = now(), reason = 'no', error_code = 'NO'
      where id in (select id from messages where status = 'SUCCESS' order by id limit 20)`.execute(trx);
    const { rows } = await sql<{ hot: bigint }>`
      select pg_stat_get_xact_tuples_hot_updated(${table}::regclass) as hot`.execute(trx);
    expect([numAffectedRows, rows[0]?.hot]).toEqual([20n, 20n]);
  });
});

it('a search for what is rare reads the few pages around it, also after it was changed there', async () => {
  await summarizeMessages(room.db);
  const all = await pagesOf(room.db);
  expect(all).toBeGreaterThan(8 * RANGE_PAGES);
  const few = 2 * RANGE_PAGES;
  expect(await readThrough(sql`status = 'CANCELLED'`)).toEqual({ pages: 0, found: 0 });
  await sql`update messages set status = 'CANCELLED', carrier = 'rare', country = 'KH', updated_at = now() + interval '1 hour'
    where id = (select id from messages order by id limit 1)`.execute(room.db);
  for (const filter of [
    sql`status = 'CANCELLED'`,
    sql`carrier = any('{rare,nobody}')`,
    sql`country = 'KH'`,
    sql`updated_at > now() + interval '30 minutes'`,
  ]) {
    const { pages, found } = await readThrough(filter);
    expect(found).toBe(1);
    expect(pages).toBeLessThanOrEqual(few);
  }
  const { pages } = await readThrough(sql`lane_id = 0`);
  expect(pages).toBeLessThanOrEqual(few);
});

it('a vacuum that runs just now is not waited for', async () => {
  const before = await readThrough(sql`status = 'PENDING'`);
  expect(before.pages).toBeLessThanOrEqual(2 * RANGE_PAGES);
  await room.db.transaction().execute(async (trx) => {
    // As a vacuum locks it.
    await sql`lock table ${sql.ref(table)} in share update exclusive mode`.execute(trx);
    await summarizeMessages(room.db);
  });
});
