import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { openTestDelivery, scriptedCarrier, type TestDelivery } from '../../../../test/delivery.ts';
import { phraseText } from '../../../ground/translations/index.ts';
import { claimMessages } from '../waiting/claim-store.ts';
import { type NotTransferred, transferMessages } from './transfer.ts';
import { lockRefused } from './transfer-store.ts';

let room: TestDelivery;
beforeAll(async () => {
  room = await openTestDelivery();
});
afterEach(async () => {
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  await room.removeLanes();
});
afterAll(() => room.close());

const addLanes = async (count: number) => {
  const lanes = [];
  for (let at = 0; at < count; at += 1) lanes.push(await room.addLane(() => scriptedCarrier().carrier));
  return lanes.map(({ id }) => id) as [number, number, ...number[]];
};
const accept = async (laneId: number, count: number): Promise<MessageId[]> => {
  const lane = room.lanes.find(({ id }) => id === laneId);
  if (!lane) throw new Error('no such lane');
  return room.accept({ accountId: await room.funded(10), lane, count, priority: 1 });
};
const reasonsOf = (refused: NotTransferred[]): string[] =>
  refused.map(({ reason }) => phraseText('en_US', reason));
const nameOf = (laneId: number | undefined): string => room.lanes.find(({ id }) => id === laneId)?.name ?? '';
const lanesOf = async (ids: MessageId[]): Promise<number[]> =>
  (await room.read(ids)).map(({ laneId }) => laneId);

it('some of a file go to the lane that was asked for, with its cost, and their route says so; the rest stays', async () => {
  const [first, second] = await addLanes(2);
  await sql`update lanes set cost_micros = 5, country_costs = '{"": "7"}' where id = ${second}`.execute(
    room.db,
  );
  const ids = await accept(first, 250);
  const some = ids.toSorted().filter((_, at) => at % 2 === 0);
  expect(await transferMessages(room.db, { ids: some, to: second })).toMatchObject({
    moved: 125,
    refused: [],
  });
  for (const row of await room.read(some))
    expect(row).toMatchObject({
      laneId: second,
      waits: true,
      triedLanes: [first],
      route: [{ from: first, to: second, why: 'TRANSFERRED' }],
    });
  expect(new Set(await lanesOf(ids.filter((id) => !some.includes(id))))).toEqual(new Set([first]));
  const { rows } = await sql<{ cost: string }>`
    select sum(cost_micros)::text as cost from messages where lane_id = ${second}`.execute(room.db);
  expect(rows[0]?.cost).toBe(String(125 * 7));
  const delivery = room.work(room.lanes);
  await room.become(ids, 'SUCCESS');
  await delivery.stop(300);
});

it('without a lane that was asked for, routing chooses one that the message has not been in', async () => {
  const [first, second, third] = await addLanes(3);
  const ids = await accept(first, 2);
  await transferMessages(room.db, { ids });
  expect(await lanesOf(ids)).toEqual([second, second]);
  await transferMessages(room.db, { ids });
  expect(await lanesOf(ids)).toEqual([third, third]);
  const { moved, refused } = await transferMessages(room.db, { ids });
  expect({ moved, reasons: reasonsOf(refused) }).toEqual({
    moved: 0,
    reasons: Array.from(
      ids,
      () => `No other lane may have it now. The nearest is ${nameOf(first)}: It has had the message before.`,
    ),
  });
});

it('a message with nowhere to go is told the reason of the lane that comes nearest, not of any', async () => {
  const [first, mail, abroad, paused] = await addLanes(4);
  await sql`update lanes set channel = 'email' where id = ${mail}`.execute(room.db);
  const ids = await accept(first, 1);
  const reason = async () => reasonsOf((await transferMessages(room.db, { ids })).refused)[0];
  await sql`update lanes set channel = 'email' where id in (${abroad}, ${paused})`.execute(room.db);
  expect(await reason()).toBe('There is no other lane for its channel.');
  await sql`update lanes set channel = 'sms' where id in (${abroad}, ${paused})`.execute(room.db);
  await sql`update lanes set countries = '{SG}' where id = ${abroad}`.execute(room.db);
  await sql`update lanes set mode = 'paused' where id = ${paused}`.execute(room.db);
  expect(await reason()).toBe(
    `No other lane may have it now. The nearest is ${nameOf(abroad)}: It serves SG, not numbers without a country.`,
  );
  await sql`update lanes set mode = 'on', up = false where id = ${paused}`.execute(room.db);
  expect(await reason()).toBe(`No other lane may have it now. The nearest is ${nameOf(paused)}: It is down.`);
  expect(await lanesOf(ids)).toEqual([first]);
});

it.each([
  ["update lanes set countries = '{SG}'", 'It serves SG, not numbers without a country.'],
  [`update lanes set dedicated_to = '{${randomUUID()}}'`, 'It is dedicated to other accounts.'],
  ["update lanes set mode = 'paused'", 'It is paused and gets nothing new.'],
  ["update lanes set channel = 'email'", 'It is a lane for email.'],
])('a lane that may not have the message gets it by no transfer: %s', async (change, reason) => {
  const [first, second] = await addLanes(2);
  await sql`${sql.raw(change)} where id = ${second}`.execute(room.db);
  const ids = await accept(first, 1);
  const { moved, refused } = await transferMessages(room.db, { ids, to: second });
  expect({ moved, refused: refused.map(({ id }) => id), reasons: reasonsOf(refused) }).toEqual({
    moved: 0,
    refused: ids,
    reasons: [reason],
  });
  expect(await lanesOf(ids)).toEqual([first]);
});

it('what a worker has claimed, what was sent and what is not there stay', async () => {
  const [first, second] = await addLanes(2);
  const ids = await accept(first, 3);
  const holder = randomUUID();
  await room.takeLane(first, holder);
  await claimMessages(room.db, { laneId: first, holder, limit: 3 });
  const unknown = randomUUID() as MessageId;
  const { moved, refused } = await transferMessages(room.db, { ids: [...ids, unknown], to: second });
  expect(moved).toBe(0);
  expect(new Set(reasonsOf(refused))).toEqual(new Set(['It does not wait in a lane.']));
  await room.dieOn(first);
  const delivery = room.work(room.lanes);
  await expect.poll(() => room.read(ids)).toMatchObject(ids.map(() => ({ laneId: first, isClaimed: false })));
  await delivery.stop(300);
});

it('a deferred message that names a device is routed by its device, any other by what it is from', async () => {
  const [laneId] = await addLanes(1);
  const lane = room.lanes.find(({ id }) => id === laneId);
  if (!lane) throw new Error('no such lane');
  const accountId = await room.funded(10);
  const routed = async (from: string) => {
    const [id] = (await room.accept({ accountId, lane, from })) as [MessageId];
    const { rows } = await sql<{ createdAt: string }>`
      select created_at::text as "createdAt" from messages where id = ${id}`.execute(room.db);
    const claim = { id: 0n, at: '', open: 1 };
    const message = {
      id,
      accountId,
      laneId,
      createdAt: rows[0]?.createdAt ?? '',
      month: '',
      attempts: 0,
      uncounted: 0,
      claim,
    };
    return (await lockRefused(room.db, { laneId, messages: [message], attempts: 0 }))[0];
  };
  expect(await routed('wa-hk-abcdefgh')).toMatchObject({ device: 'wa-hk-abcdefgh', from: null });
  expect(await routed('ACME')).toMatchObject({ device: null, from: 'ACME' });
});

it('two admins who move the same messages at once move each once, and nothing is lost', async () => {
  const [first, second, third] = await addLanes(3);
  const ids = await accept(first, 300);
  const [one, other] = await Promise.all([
    transferMessages(room.db, { ids, to: second }),
    transferMessages(room.db, { ids: ids.toReversed(), to: third }),
  ]);
  expect(one.moved + other.moved).toBeGreaterThanOrEqual(300);
  const delivery = room.work(room.lanes);
  await room.become(ids, 'SUCCESS');
  await delivery.stop(300);
});
