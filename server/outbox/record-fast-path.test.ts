import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountId } from '../../contract/accounts.ts';
import { openTestDelivery, scriptedCarrier, type TestDelivery } from '../../test/delivery.ts';
import type { Lane } from '../lanes/index.ts';
import { claimMessages } from './claim-store.ts';
import type { Claimed } from './claimed-store.ts';
import { publishNothing } from './outbox-event.ts';
import { keepEarlyReceipts, type ReceiptSummary, writeReceipts } from './receipt-store.ts';
import { openRecordFastPath } from './record-fast-path.ts';
import { foldReceipts } from './record-receipts.ts';
import { recordResults, resultOf } from './record-results.ts';
import type { Result } from './result-store.ts';

let room: TestDelivery;
let lane: Lane;
let accountId: AccountId;
const holder = randomUUID();
beforeAll(async () => {
  room = await openTestDelivery();
  lane = await room.addLane(() => scriptedCarrier().carrier);
  accountId = await room.funded(100);
  await room.takeLane(lane.id, holder, 600_000);
});
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  await room.close();
});

const take = async (count: number): Promise<Claimed[]> => {
  await room.accept({ accountId, lane, count });
  const { claimed } = await claimMessages(room.db, { laneId: lane.id, holder, limit: count });
  expect(claimed).toHaveLength(count);
  return claimed;
};
const accepted = (messages: Claimed[], name = 'p') =>
  messages.map((message) =>
    resultOf(message, { outcome: 'accepted', providerMessageId: `${name}-${message.id}` }),
  );
const delivered = (ids: string[], at = new Date()) =>
  foldReceipts(ids.map((providerMessageId) => ({ providerMessageId, state: 'delivered', at, code: '' })));
const open = (hasSubscriber = (_: AccountId[]): boolean => false) =>
  openRecordFastPath({ db: room.db, hasSubscriber }, lane.id);
const states = async (messages: Claimed[]) =>
  (await room.read(messages.map(({ id }) => id))).map(({ status, deliveredAt, isClaimed }) => [
    status,
    deliveredAt !== null,
    isClaimed,
  ]);
const finish = (messages: Claimed[]) =>
  recordResults(room.db, { laneId: lane.id, results: accepted(messages), publish: publishNothing });

it('what was sent and delivered is written, counted and found by the carrier’s id', async () => {
  const messages = await take(3);
  expect(await open()({ results: accepted(messages.slice(0, 2)), summaries: [] })).toBe(true);
  for (const { claim } of messages.slice(0, 2)) claim.open -= 1;
  expect(await states(messages)).toEqual([
    ['SUCCESS', false, true],
    ['SUCCESS', false, true],
    ['PENDING', false, true],
  ]);
  const summaries = delivered(messages.slice(0, 2).map(({ id }) => `p-${id}`));
  expect(await open()({ results: accepted(messages.slice(2)), summaries })).toBe(true);
  expect(await states(messages)).toEqual([
    ['SUCCESS', true, false],
    ['SUCCESS', true, false],
    ['SUCCESS', false, false],
  ]);
  const [first] = await room.read(messages.slice(0, 1).map(({ id }) => id));
  expect(first).toMatchObject({ attempts: 1, providerMessageId: `p-${messages[0]?.id}`, code: '' });
  expect(await room.miscounted()).toEqual([]);
});

it('a repeat writes nothing and takes the general path', async () => {
  const messages = await take(2);
  const flush = { results: accepted(messages), summaries: [] };
  expect(await open()(flush)).toBe(true);
  expect(await open()(flush)).toBe(false);
  const told = { results: [], summaries: delivered([`p-${messages[0]?.id}`]) };
  expect(await open()(told)).toBe(true);
  expect(await open()(told)).toBe(false);
});

it('one that is not plain keeps all of them from it, and leaves nothing behind', async () => {
  const messages = await take(3);
  await finish(messages.slice(0, 1));
  expect(await open()({ results: accepted(messages), summaries: [] })).toBe(false);
  const refused = resultOf(messages[1] as Claimed, {
    outcome: 'refused',
    code: '',
    reason: '',
    retryable: true,
  });
  expect(await open()({ results: [...accepted(messages.slice(2)), refused], summaries: [] })).toBe(false);
  const summaries = delivered([`p-${messages[0]?.id}`, 'nobody knows this one']);
  expect(await open()({ results: accepted(messages.slice(1)), summaries })).toBe(false);
  expect(await states(messages)).toEqual([
    ['SUCCESS', false, true],
    ['PENDING', false, true],
    ['PENDING', false, true],
  ]);
  for (const { claim } of messages.slice(0, 1)) claim.open -= 1;
  await finish(messages.slice(1));
});

it('accounts with a subscriber, and receipts that came before, take the general path', async () => {
  const messages = await take(2);
  const toldOf: AccountId[][] = [];
  const told = open((ids) => {
    toldOf.push(ids);
    return ids.includes(accountId);
  });
  expect(await told({ results: accepted(messages), summaries: [] })).toBe(false);
  const early = { state: 'delivered' as const, at: new Date(), code: '' };
  await keepEarlyReceipts(room.db, lane.id, [{ ...early, providerMessageId: 'a stranger’s' }]);
  expect(await open()({ results: accepted(messages.slice(0, 1)), summaries: [] })).toBe(true);
  for (const { claim } of messages.slice(0, 1)) claim.open -= 1;
  const summaries = delivered([`p-${messages[0]?.id}`]);
  const choosy = open((ids) => ids.includes(accountId));
  expect(await choosy({ results: [], summaries })).toBe(false);
  await keepEarlyReceipts(room.db, lane.id, [{ ...early, providerMessageId: `p-${messages[1]?.id}` }]);
  expect(await open()({ results: accepted(messages.slice(1)), summaries: [] })).toBe(false);
  expect(await states(messages)).toEqual([
    ['SUCCESS', false, true],
    ['PENDING', false, true],
  ]);
  expect(toldOf).toEqual([[accountId]]);
  await finish(messages.slice(1));
  await sql`delete from early_receipts`.execute(room.db);
});

it('messages of a month that has no table any more, and of two months in one flush, take the general path', async () => {
  const [gone, here] = (await take(2)) as [Claimed, Claimed];
  const results = accepted([{ ...gone, month: '1999_12' }, here]);
  expect(await open()({ results: results.slice(0, 1), summaries: [] })).toBe(false);
  expect(await open()({ results, summaries: [] })).toBe(false);
  // The claim would be left: neither month's statement sees the last of it.
  await sql`select messages_make_partition('2001-02-03')`.execute(room.db);
  expect(await open()({ results: accepted([{ ...gone, month: '2001_02' }, here]), summaries: [] })).toBe(
    false,
  );
  expect(await states([gone, here])).toEqual([
    ['PENDING', false, true],
    ['PENDING', false, true],
  ]);
  expect(await open()({ results: accepted([{ ...gone, month: "x'; --" }]), summaries: [] })).toBe(false);
  await finish([gone, here]);
});

it('a receipt is not for a message that is older than any that is still reported on', async () => {
  const id = randomUUID();
  await sql`select messages_make_partition((now() - interval '15 days')::date)`.execute(room.db);
  await sql`
    with old as (
      insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, message, segment,
        price_micros, provider_message_id, sent_at, created_at, updated_at)
      select ${id}::uuid, ${accountId}::uuid, ${lane.id}, 'sms', 'outgoing', 'SUCCESS', '+85261111111', '+85261111111',
        'hello', 1, 1, 'used again', now(), now() - interval '14 days 1 hour', now()
      returning lane_id, provider_message_id, created_at, id
    )
    insert into carrier_ids select * from old`.execute(room.db);
  expect(await open()({ results: [], summaries: delivered(['used again']) })).toBe(false);
  const { rows } = await sql`select delivered_at from messages where id = ${id}`.execute(room.db);
  expect(rows).toEqual([{ delivered_at: null }]);
});

it('both ways come to the same', async () => {
  const at = new Date();
  const way = async (
    write: (flush: { results: Result[]; summaries: ReceiptSummary[] }) => Promise<unknown>,
  ) => {
    await sql`
      insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, country, message,
        segment, price_micros, test, priority, created_at, updated_at)
      select gen_random_uuid(), ${accountId}::uuid, ${lane.id}, 'sms', 'outgoing', 'PENDING', to_, to_, country, 'hello',
        segment, price, test, 1, now(), now()
      from (values ('+85261111111', 'HK', 1, 100, false), ('+447911123456', 'GB', 3, 300, false),
        ('+85261111112', 'HK', 2, 0, true), ('+85261111113', 'HK', 2, 200, false)) as given (to_, country, segment, price, test)`.execute(
      room.db,
    );
    const { claimed } = await claimMessages(room.db, { laneId: lane.id, holder, limit: 10 });
    const messages = claimed.toSorted((a, b) => (a.recipient < b.recipient ? -1 : 1));
    const results = messages.map((message) =>
      resultOf(message, { outcome: 'accepted', providerMessageId: `b-${message.id}` }, at.getTime()),
    );
    await write({ results, summaries: [] });
    const ids = messages.map(({ id }) => id);
    const reported = ids.slice(0, 3).map((id) => `b-${id}`);
    await write({ results: [], summaries: delivered(reported, at) });
    expect(await room.miscounted()).toEqual([]);
    const { rows } = await sql`
      select to_jsonb(m) - array['id', 'created_at', 'updated_at'] ||
          jsonb_build_object('provider_message_id', replace(provider_message_id, id::text, '')) as message,
        (select count(*)::int from carrier_ids c where c.message_id = m.id and c.created_at = m.created_at
          and c.lane_id = m.lane_id and c.provider_message_id = m.provider_message_id) as ids,
        exists (select from claims where m.id = any(ids)) as in_hand
      from messages m where id = any(${ids}::uuid[]) order by recipient`.execute(room.db);
    expect(rows).toHaveLength(4);
    return rows;
  };
  const short = await way(async (flush) => expect(await open()(flush)).toBe(true));
  const long = await way(async ({ results, summaries }) => {
    await recordResults(room.db, { laneId: lane.id, results, publish: publishNothing });
    await writeReceipts(room.db, lane.id, summaries);
  });
  expect(short).toEqual(long);
});

it('a month has every trigger for updates that all messages have', async () => {
  const { rows } = await sql<{ table: string; names: string[] }>`
    select tgrelid::regclass::text as table, array_agg(tgname::text order by tgname) as names from pg_trigger
    where (tgrelid = 'messages'::regclass or tgrelid in (
      select inhrelid from pg_inherits where inhparent = 'messages'::regclass))
      and not tgisinternal and tgtype & 16 > 0 group by 1`.execute(room.db);
  expect(rows.length).toBeGreaterThan(1);
  for (const { names } of rows) expect(names).toEqual(['delivery_counts_update', 'message_counts_update']);
});
