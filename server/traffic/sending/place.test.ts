import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { changeWaiting } from '../../../test/chunks.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { openTestPhones } from '../../../test/phones.ts';
import { replacePrefixes } from '../carriers/index.ts';
import { releaseDue } from '../outbox/testing/index.ts';
import { accept, adminTestRoutes, prepare, readTerms, type SendingDeps } from './index.ts';

const room = await openTestMessages();
const { db } = room;
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});
beforeEach(async () => {
  await sql`truncate lanes cascade`.execute(db);
  room.woken.length = 0;
});

const HK = '+85261112222';
const SG = '+6581234567';
const PH = '+639171234567';

const sendSingle = async (accountId: AccountId, recipientRaw = HK, sendAt?: string) => {
  const { send } = await room.open();
  const wanted = { recipientRaw, message: 'hello', sendAt };
  return send({ sender: { accountId, test: false }, channel: 'sms', wanted, idempotencyKey: undefined });
};
const sendFile = async (
  deps: SendingDeps,
  accountId: AccountId,
  recipients: string[],
  schedule?: { at: Date; until: Date },
) => {
  const terms = { ...(await readTerms(deps, { accountId, channel: 'sms', test: false })), schedule };
  const chunk = recipients.map((recipientRaw) => prepare(terms, { recipientRaw, message: 'hello' }));
  return accept(deps, { accountId, channel: 'sms', kind: 'CSV', terms, chunks: [chunk] });
};
const placesOf = async (accountId: AccountId) =>
  (await room.messagesOf(accountId)).map(({ country, lane_id, lane_why, cost_micros }) => [
    country,
    lane_id,
    lane_why,
    cost_micros,
  ]);
/** How many messages wait in each lane. */
const waiting = async () => {
  const { rows } = await sql<{ lane: number; count: number }>`
    select lane_id as lane, sum(cardinality(ids))::int as count from outbox_chunks
    where lane_id = 0 or lane_id in (select id from lanes) group by 1 order by 1`.execute(db);
  return rows.map(({ lane, count }) => [lane, count]);
};

test('each message of a file goes by its country, with the reason and its cost', async () => {
  const hk = await room.addLane({
    name: 'hk',
    channel: 'sms',
    preference: 1,
    countries: ['HK'],
    costMicros: 5,
  });
  const any = await room.addLane({ name: 'any', channel: 'sms', preference: 2, costMicros: 9 });
  const accountId = await room.funded(1);
  await sendFile(await room.open(), accountId, [HK, SG, HK]);
  expect(await placesOf(accountId)).toEqual([
    ['HK', hk, 'PREFERRED', 5n],
    ['SG', any, 'ONLY', 9n],
    ['HK', hk, 'PREFERRED', 5n],
  ]);
  expect(await waiting()).toEqual([
    [hk, 2],
    [any, 1],
  ]);
  expect(room.woken.flat().toSorted()).toEqual([hk, any]);
});

test('a country that no lane serves is refused, the others are not', async () => {
  await room.addLane({ name: 'hk', channel: 'sms', countries: ['HK'] });
  const accountId = await room.funded(1);
  await expect(sendSingle(accountId, SG)).rejects.toMatchObject({ code: 'E_NO_LANE' });
  await sendSingle(accountId, HK);
  expect(await room.messagesOf(accountId)).toHaveLength(1);
});

test('a dedicated lane serves its accounts and no other', async () => {
  const [own, other] = [await room.funded(1), await room.funded(1)];
  const shared = await room.addLane({ name: 'shared', channel: 'sms', preference: 1 });
  const lane = await room.addLane({
    name: 'own',
    channel: 'sms',
    preference: 2,
    dedicatedTo: [own],
    costMicros: 3,
  });
  await sendSingle(own);
  await sendSingle(other);
  expect(await placesOf(own)).toEqual([['HK', lane, 'ONLY', 3n]]);
  expect(await placesOf(other)).toEqual([['HK', shared, 'ONLY', 0n]]);
});

test('singles take turns among equals, and a full lane passes them on', async () => {
  const [a, b] = await Promise.all(
    ['a', 'b'].map((name) =>
      room.addLane({ name, channel: 'sms', route: 'sms', ...(name === 'a' && { oneHour: 2 }) }),
    ),
  );
  const accountId = await room.funded(1);
  const { send } = await room.open();
  const wanted = { recipientRaw: HK, message: 'hello' };
  const turns = Array.from({ length: 6 }, () =>
    send({ sender: { accountId, test: false }, channel: 'sms', wanted, idempotencyKey: undefined }),
  );
  await Promise.all(turns);
  const lanes = (await placesOf(accountId)).map(([, lane]) => lane);
  expect([lanes.filter((lane) => lane === a).length, lanes.filter((lane) => lane === b).length]).toEqual([
    2, 4,
  ]);
  // What waits in it counts, for every process.
  await sendSingle(accountId);
  expect((await placesOf(accountId)).at(-1)).toEqual(['HK', b, 'SPREAD', 0n]);
});

test('what a lane has sent counts against its throttle until it has left the window', async () => {
  const full = await room.addLane({ name: 'full', channel: 'sms', preference: 1, oneHour: 10 });
  const next = await room.addLane({ name: 'next', channel: 'sms', preference: 2 });
  await sql`insert into lane_sends (lane_id, minute, sent) values
    (${full}, date_trunc('minute', now()) - interval '50 minutes', 9), (${full}, date_trunc('minute', now()), 1)`.execute(
    db,
  );
  const accountId = await room.funded(1);
  await sendSingle(accountId);
  await sql`update lane_sends set minute = minute - interval '12 minutes'`.execute(db);
  await sendSingle(accountId);
  expect(await placesOf(accountId)).toEqual([
    ['HK', next, 'INSTEAD', 0n],
    ['HK', full, 'PREFERRED', 0n],
  ]);
});

test('the price does not depend on which lane can send', async () => {
  await sql`insert into prices (channel, country, carrier, unit_micros) values ('sms', 'HK', 'cheap', 11000),
    ('sms', 'HK', 'dear', 22000)`.execute(db);
  await room.addLane({ name: 'first', channel: 'sms', preference: 1, carrier: 'cheap', up: false });
  const second = await room.addLane({ name: 'second', channel: 'sms', preference: 2, carrier: 'dear' });
  const accountId = await room.funded(1);
  expect(await sendSingle(accountId)).toMatchObject({ price: 0.011 });
  expect(await placesOf(accountId)).toEqual([['HK', second, 'INSTEAD', 0n]]);
});

test('scheduled messages are routed when due, each by its country; what no lane serves stays and blocks nothing', async () => {
  const hk = await room.addLane({
    name: 'hk',
    channel: 'sms',
    preference: 1,
    countries: ['HK'],
    costMicros: 5,
  });
  const any = await room.addLane({ name: 'any', channel: 'sms', preference: 2, costMicros: 9 });
  const schedule = { at: new Date(Date.now() + 86_400_000), until: new Date(Date.now() + 2 * 86_400_000) };
  const [first, second] = [await room.funded(1), await room.funded(1)];
  await sendFile(await room.open(), first, [PH, HK, PH, HK], schedule);
  await sendFile(await room.open(), second, [HK], schedule);
  expect(await placesOf(second)).toEqual([['HK', null, null, 0n]]);
  await changeWaiting(db, sql`scheduled_at = now() - interval '1 second'`, sql`true`);

  await sql`update lanes set countries = '{SG}' where id = ${any}`.execute(db);
  expect(await releaseDue(await room.open())).toBe(3);
  expect(await waiting()).toEqual([
    [0, 2],
    [hk, 3],
  ]);
  expect(await releaseDue(await room.open())).toBe(0);

  await sql`update lanes set countries = '{}' where id = ${any}`.execute(db);
  expect(await releaseDue(await room.open())).toBe(2);
  expect(await placesOf(first)).toEqual([
    ['PH', any, 'ONLY', 9n],
    ['HK', hk, 'ONLY', 5n],
    ['PH', any, 'ONLY', 9n],
    ['HK', hk, 'ONLY', 5n],
  ]);
});

test('a message has the network of its number, otherwise that of its lane', async () => {
  const lane = await room.addLane({ name: 'hk', channel: 'sms', carrier: 'HKT' });
  await replacePrefixes(db, [{ prefix: '+65', carrierName: 'Singtel' }]);
  const accountId = await room.funded(1);
  const deps = await room.open();
  await sendFile(deps, accountId, [HK, SG]);
  await deps.send({
    sender: { accountId, test: false },
    channel: 'sms',
    wanted: { recipientRaw: SG, message: 'hello' },
    idempotencyKey: undefined,
  });
  const later = { at: new Date(Date.now() - 1_000), until: new Date(Date.now() + 600_000) };
  await sendFile(deps, accountId, [HK], later);
  await releaseDue({ db, routing: deps.routing, wake: async () => {} });
  const { rows } = await sql<{ recipient: string; carrier: string }>`
    select recipient, carrier, lane_id from messages where account_id = ${accountId} order by created_at, id`.execute(
    db,
  );
  expect(rows.map(({ recipient, carrier }) => `${recipient} ${carrier}`).sort()).toEqual([
    `${SG} Singtel`,
    `${SG} Singtel`,
    `${HK} HKT`,
    `${HK} HKT`,
  ]);
  expect(rows.every((row) => (row as { lane_id?: number }).lane_id === lane)).toBe(true);
  await replacePrefixes(db, []);
});

test('where no prefix says it, the network is the one that the phone is lent to: its first alias', async () => {
  const phones = openTestPhones(db);
  await phones.add('p1', { carrierAliases: 'smartone, csl' }, { smsActive: true });
  await sql`update lanes set simulated = false, up = true`.execute(db);
  await replacePrefixes(db, [{ prefix: '+65', carrierName: 'Singtel' }]);
  const accountId = await room.funded(1);
  const deps = await room.open();
  await sendFile(deps, accountId, [HK, SG]);
  const later = { at: new Date(Date.now() - 1_000), until: new Date(Date.now() + 600_000) };
  await sendFile(deps, accountId, [HK], later);
  await releaseDue({ db, routing: deps.routing, wake: async () => {} });
  const { rows } = await sql<{ recipient: string; carrier: string }>`
    select recipient, carrier from messages where account_id = ${accountId}`.execute(db);
  expect(rows.map(({ recipient, carrier }) => `${recipient} ${carrier}`).sort()).toEqual([
    `${SG} Singtel`,
    `${HK} smartone`,
    `${HK} smartone`,
  ]);
  await replacePrefixes(db, []);
});

test("an admin's test goes by its lane, though routing prefers another", async () => {
  await room.addLane({ name: 'first', channel: 'sms', preference: 1 });
  const second = await room.addLane({ name: 'second', channel: 'sms', preference: 2, costMicros: 7 });
  const accountId = await room.funded(1);
  const ask = async (laneId: number) =>
    adminTestRoutes(await room.open())['POST /admin/lanes/:laneId/test']?.({
      caller: { accountId, admin: true },
      params: { laneId },
      body: { phone: HK, message: 'is it up?' },
      changed: () => {},
    } as never);
  await ask(second);
  expect(await placesOf(accountId)).toEqual([['HK', second, 'TRIED', 7n]]);
  await expect(ask(0)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  await sql`update lanes set mode = 'paused' where id = ${second}`.execute(db);
  await expect(ask(second)).rejects.toMatchObject({ code: 'E_LANE_NOT_ON' });
});
