import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import { cancelAll, changeWaiting } from '../../../test/chunks.ts';
import {
  openTestDelivery,
  PRICE_MICROS,
  refusal,
  scriptedCarrier,
  type TestDelivery,
} from '../../../test/delivery.ts';
import { type Lane, newWorker, renewWorker } from '../lanes/index.ts';
import { moveFrom } from '../outbox/index.ts';
import { lockLane } from '../outbox/testing/index.ts';
import type { Delivery } from './run-delivery.ts';
import type { DeliveryTiming } from './timing.ts';

let room: TestDelivery;
let delivery: Delivery | undefined;
beforeAll(async () => {
  room = await openTestDelivery();
});
afterEach(async () => {
  await delivery?.stop(300);
  delivery = undefined;
  await room.removeLanes();
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  await cancelAll(room.db);
});
afterAll(() => room.close());

const START = 10_000_000n;
/** No test here is about workers that die: a lease that lapses on a busy machine would take its lanes down. */
const work = (lanes: Lane[], timing: Partial<DeliveryTiming> = {}): Delivery =>
  room.work(lanes, { leaseMs: 30_000, ...timing });
const addLane = async (options?: { simulated?: boolean }) => {
  const carrier = scriptedCarrier();
  return { ...carrier, lane: await room.addLane(() => carrier.carrier, options) };
};
const isDown = (script: { script: { up: boolean } }) => {
  script.script.up = false;
};
/** Until both are up: only lanes that are up take over. */
const areUp = (...lanes: Lane[]) =>
  vi.waitFor(async () => {
    const { rows } =
      await sql`select from lanes where up and id = any(${lanes.map(({ id }) => id)}::int[])`.execute(
        room.db,
      );
    expect(rows).toHaveLength(lanes.length);
  });
/** Down by its own report, and known to be down. */
const goDown = async ({ lane, script, setUp }: Awaited<ReturnType<typeof addLane>>) => {
  await vi.waitFor(() => expect(script.opened).toBe(1));
  setUp(false);
  await vi.waitFor(async () => {
    const { rows } = await sql`select from lanes where down_since is not null and id = ${lane.id}`.execute(
      room.db,
    );
    expect(rows).toHaveLength(1);
  });
};
/**
 * A fence: this lane goes down too, and its message goes out by another lane. The look that moved it came by all lanes
 * that were added before this one and down before it, so what has not left them by now stays.
 */
const movedFrom = async (
  fence: Awaited<ReturnType<typeof addLane>>,
  { downFor = sql`interval '0'` } = {},
): Promise<MessageId[]> => {
  await goDown(fence);
  await sql`update lanes set down_since = down_since - ${downFor} where id = ${fence.lane.id}`.execute(
    room.db,
  );
  const ids = await room.accept({ accountId: await room.funded(1), lane: fence.lane });
  await room.become(ids, 'SUCCESS');
  return ids;
};
const idsOf = (sent: { id: MessageId }[]) => sent.map(({ id }) => id).sort();

it('what is put off three times goes to the next lane, once, at the price it had, and its route says why', async () => {
  const [first, second] = [await addLane(), await addLane()];
  first.script.answer = () => refusal(true);
  delivery = work([first.lane, second.lane]);
  await areUp(first.lane, second.lane);
  const accountId = await room.funded(10);
  const ids = await room.accept({ accountId, lane: first.lane, count: 2 });
  await room.become(ids, 'SUCCESS');
  expect(first.sent).toHaveLength(6);
  expect(idsOf(second.sent)).toEqual(ids.toSorted());
  for (const row of await room.read(ids))
    expect(row).toMatchObject({
      laneId: second.lane.id,
      triedLanes: [first.lane.id],
      route: [{ from: first.lane.id, to: second.lane.id, why: 'REFUSED', code: 'BUSY' }],
    });
  expect(await room.balance(accountId)).toBe(START - 2n * PRICE_MICROS);
});

it('a refusal for good goes nowhere else: it fails and is refunded', async () => {
  const [first, second] = [await addLane(), await addLane()];
  first.script.answer = () => refusal(false);
  delivery = work([first.lane, second.lane]);
  await areUp(first.lane, second.lane);
  const accountId = await room.funded(10);
  const ids = await room.accept({ accountId, lane: first.lane });
  await room.become(ids, 'FAILED');
  // Had it moved, it would have been in the second lane before this one.
  const fence = await room.accept({ accountId: await room.funded(1), lane: second.lane });
  await room.become(fence, 'SUCCESS');
  expect(idsOf(second.sent)).toEqual(fence);
  expect(await room.balance(accountId)).toBe(START);
});

it('what waits in a lane that stays down goes out by the next one; new messages of a lane that is back stay', async () => {
  const [first, second] = [await addLane(), await addLane()];
  isDown(first);
  delivery = work([first.lane, second.lane], { failoverAfterMs: 300 });
  await areUp(second.lane);
  const accountId = await room.funded(10);
  first.setUp(false);
  const ids = await room.accept({ accountId, lane: first.lane, count: 20, priority: 1 });
  await room.become(ids, 'SUCCESS');
  expect(first.sent).toEqual([]);
  expect(idsOf(second.sent)).toEqual(ids.toSorted());
  expect((await room.read(ids))[0]?.route).toMatchObject([{ why: 'LANE_DOWN' }]);
  first.setUp(true);
  await areUp(first.lane);
  await room.become(await room.accept({ accountId, lane: first.lane }), 'SUCCESS');
  expect(first.sent).toHaveLength(1);
});

it('what is too much for one look goes by the next lane without waiting for the next look', async () => {
  const [first, second] = [await addLane(), await addLane()];
  isDown(first);
  delivery = work([first.lane, second.lane], { failoverAfterMs: 300, failoverEveryMs: 8_000 });
  await areUp(second.lane);
  first.setUp(false);
  const accountId = await room.funded(200);
  const ids = await room.accept({ accountId, lane: first.lane, count: 3_500, priority: 1 });
  await vi.waitFor(() => expect(second.sent.length).toBeGreaterThan(0));
  // It takes three more looks: one that waited for each would need 24 seconds.
  await vi.waitFor(async () => {
    const { rows } = await sql`select from outbox_chunks where lane_id = ${first.lane.id}`.execute(room.db);
    expect(rows).toEqual([]);
  }, 20_000);
  await room.become(ids, 'SUCCESS');
  expect(second.sent).toHaveLength(ids.length);
}, 60_000);

it('one worker at a time moves what waits in a lane', async () => {
  const [first, second, third] = [await addLane(), await addLane(), await addLane()];
  isDown(first);
  isDown(third);
  delivery = work([first.lane, second.lane, third.lane], { failoverAfterMs: 100 });
  await areUp(second.lane);
  const ids = await room.accept({ accountId: await room.funded(10), lane: first.lane, count: 3 });
  const fence = await room.db.transaction().execute(async (another) => {
    expect(await lockLane(another, first.lane.id)).toBe(true);
    await goDown(first);
    const moved = await movedFrom(third);
    expect(idsOf(second.sent)).toEqual(moved);
    expect(await room.read(ids)).toMatchObject(ids.map(() => ({ laneId: first.lane.id, waits: true })));
    return moved;
  });
  await room.become(ids, 'SUCCESS');
  expect(idsOf(second.sent)).toEqual([...ids, ...fence].sort());
});

it('a lane that is down for a moment keeps its messages', async () => {
  const [first, second, third] = [await addLane(), await addLane(), await addLane()];
  isDown(third);
  delivery = work([first.lane, second.lane, third.lane]);
  await areUp(first.lane, second.lane);
  isDown(first);
  const ids = await room.accept({ accountId: await room.funded(10), lane: first.lane, count: 5 });
  await goDown(first);
  const fence = await movedFrom(third, { downFor: sql`interval '1 hour'` });
  first.setUp(true);
  await room.become(ids, 'SUCCESS');
  expect(idsOf(first.sent)).toEqual(ids.toSorted());
  expect(idsOf(second.sent)).toEqual(fence);
});

it('a lane that is back keeps what came meanwhile, though it was found to be down a moment ago', async () => {
  const [first, second] = [await addLane(), await addLane()];
  const [id] = await room.accept({ accountId: await room.funded(10), lane: first.lane });
  await sql`update lanes set up = true where id = ${second.lane.id}`.execute(room.db);
  const { id: from, name, channel, simulated } = first.lane;
  const move = () =>
    moveFrom(room.db, { id: from, name, channel, simulated, route: 'sms', why: 'LANE_DOWN' });
  expect(await move()).toBe('stuck');
  await sql`update lanes set down_since = now() where id = ${from}`.execute(room.db);
  expect(await move()).toEqual([{ from, to: second.lane.id, why: 'LANE_DOWN', count: 1 }]);
  expect(await room.read([id as MessageId])).toMatchObject([{ laneId: second.lane.id, waits: true }]);
});

it("what is to be from a phone's number waits for that phone; the rest goes by another lane", async () => {
  const [first, second] = [await addLane(), await addLane()];
  const [phoneId, number] = [randomUUID(), '+85260000001'];
  await sql`insert into phones (id, name) values (${phoneId}, ${phoneId})`.execute(room.db);
  const { id: from, name, channel, simulated } = first.lane;
  await sql`update lanes set source = 'phone', phone_id = ${phoneId}, phone_name = ${phoneId}, sender = ${number},
      down_since = now() where id = ${from}`.execute(room.db);
  await sql`update lanes set up = true where id = ${second.lane.id}`.execute(room.db);
  const accountId = await room.funded(10);
  const named = await room.accept({ accountId, lane: first.lane, from: number });
  const others = await room.accept({ accountId, lane: first.lane, from: 'ACME' });
  await moveFrom(room.db, { id: from, name, channel, simulated, route: 'sms', why: 'LANE_DOWN' });
  expect(await room.read(named)).toMatchObject([{ laneId: from, waits: true }]);
  expect(await room.read(others)).toMatchObject([{ laneId: second.lane.id, waits: true }]);
});

it('what is unknown never moves, however long its lane is down', async () => {
  const [first, second] = [await addLane(), await addLane()];
  first.script.answer = () => 'never';
  delivery = work([first.lane, second.lane], { answerMs: 1_000, failoverAfterMs: 300 });
  await areUp(first.lane, second.lane);
  const ids = await room.accept({ accountId: await room.funded(10), lane: first.lane, count: 3 });
  await vi.waitFor(async () => expect((await room.read(ids)).every((row) => row.unknownSince)).toBe(true));
  first.setUp(false);
  const later = await room.accept({ accountId: await room.funded(10), lane: first.lane, count: 3 });
  await room.become(later, 'SUCCESS');
  expect(idsOf(second.sent)).toEqual(later.toSorted());
  for (const row of await room.read(ids))
    expect(row).toMatchObject({ laneId: first.lane.id, status: 'PENDING', triedLanes: [] });
});

it('a lane that puts everything off for long loses what waits, before each was tried', async () => {
  const [first, second] = [await addLane(), await addLane()];
  first.script.answer = () => refusal(true);
  delivery = work([first.lane, second.lane], { failoverAfterMs: 300 });
  await areUp(first.lane, second.lane);
  const ids = await room.accept({ accountId: await room.funded(30), lane: first.lane, count: 300 });
  await room.become(ids, 'SUCCESS');
  expect(idsOf(second.sent)).toEqual(ids.toSorted());
  expect(first.sent.length).toBeLessThan(300);
  const whys = (await room.read(ids)).flatMap(({ route }) => route ?? []).map(({ why }) => why);
  expect(whys).toHaveLength(300);
  expect(whys).toContain('LANE_REJECTING');
  first.script.answer = ({ id }) => ({ outcome: 'accepted', providerMessageId: id });
  await room.become(await room.accept({ accountId: await room.funded(1), lane: first.lane }), 'SUCCESS');
  await vi.waitFor(async () => {
    const { rows } =
      await sql`select from lanes where id = ${first.lane.id} and rejecting_since is null`.execute(room.db);
    // Either the lane accepted it, which then counts as well, or it had moved to the other one.
    expect(rows.length === 1 || second.sent.length === 301).toBe(true);
  });
});

it('each lane is tried once; where none is left the message waits, and fails in the end with one refund', async () => {
  const lanes = [await addLane(), await addLane(), await addLane()];
  for (const { script } of lanes) script.answer = () => refusal(true);
  delivery = work(
    lanes.map(({ lane }) => lane),
    { failoverAfterMs: 60_000 },
  );
  await areUp(...lanes.map(({ lane }) => lane));
  const accountId = await room.funded(10);
  const ids = await room.accept({ accountId, lane: lanes[0]?.lane as Lane });
  const [first, second, third] = lanes.map(({ lane }) => lane.id);
  // The pauses between attempts are minutes: they are cut short here.
  const hurry = setInterval(
    () =>
      void sql`update outbox_chunks set due = now() where ids = ${ids}::uuid[] and due > now()`.execute(
        room.db,
      ),
    50,
  );
  await room.become(ids, 'FAILED');
  clearInterval(hurry);
  expect((await room.read(ids))[0]).toMatchObject({
    laneId: third,
    triedLanes: [first, second],
    attempts: 10,
    route: [
      { from: first, to: second },
      { from: second, to: third },
    ],
  });
  expect(lanes.map(({ sent }) => sent.length)).toEqual([3, 3, 4]);
  expect(await room.balance(accountId)).toBe(START);
  expect(await room.differing()).toEqual([]);
});

it.each([
  ['a real message never goes to a simulator', false, true],
  ['a test message never goes to a real lane', true, false],
])('%s', async (_, here, there) => {
  const first = await addLane({ simulated: here });
  const [second, third] = [await addLane({ simulated: there }), await addLane({ simulated: there })];
  isDown(first);
  isDown(third);
  delivery = work([first.lane, second.lane, third.lane], { failoverAfterMs: 300 });
  await areUp(second.lane);
  const ids = await room.accept({ accountId: await room.funded(10), lane: first.lane });
  await goDown(first);
  const fence = await movedFrom(third);
  expect(idsOf(second.sent)).toEqual(fence);
  expect((await room.read(ids))[0]).toMatchObject({ laneId: first.lane.id, status: 'PENDING' });
});

it('what is not due yet stays in its lane', async () => {
  const [first, second] = [await addLane(), await addLane()];
  isDown(first);
  delivery = work([first.lane, second.lane], { failoverAfterMs: 300 });
  await areUp(second.lane);
  first.setUp(false);
  const accountId = await room.funded(10);
  const later = await room.accept({ accountId, lane: first.lane });
  await changeWaiting(room.db, sql`not_before = now() + interval '1 hour'`, sql`id = ${later[0]}`);
  await room.become(await room.accept({ accountId, lane: first.lane }), 'SUCCESS');
  expect((await room.read(later))[0]).toMatchObject({ laneId: first.lane.id, triedLanes: [] });
});

it('the messages of a lane that left the settings go elsewhere', async () => {
  const former = await addLane();
  const ids = await room.accept({ accountId: await room.funded(10), lane: former.lane, count: 3 });
  await room.removeLanes();
  const present = await addLane();
  delivery = work([present.lane], { failoverAfterMs: 300 });
  await room.become(ids, 'SUCCESS');
  expect(present.sent).toHaveLength(3);
  expect((await room.read(ids))[0]?.route).toMatchObject([{ why: 'LANE_REMOVED' }]);
});

it('a start does not hold it against a lane that it was down before', async () => {
  const first = await addLane();
  await sql`update lanes set up = false, down_since = now() - interval '1 hour' where id = ${first.lane.id}`.execute(
    room.db,
  );
  const second = await addLane();
  const downSince = async () => {
    const { rows } = await sql<{ since: Date | null }>`
      select down_since as since from lanes where id = ${first.lane.id}`.execute(room.db);
    return rows[0]?.since;
  };
  expect(await downSince()).toBeNull();
  const holder = newWorker('holder');
  await renewWorker(room.db, { ...holder, leaseMs: 60_000, serving: true, laneIds: [] });
  await sql`update lanes set down_since = now(), leased_by = ${randomUUID()}, worker_id = ${holder.id}
    where id = ${first.lane.id}`.execute(room.db);
  await addLane();
  expect(await downSince()).toEqual(expect.any(Date));
  expect(second.sent).toEqual([]);
});

it('a lane without a route keeps its messages, and gets none of others', async () => {
  const [first, second, third] = [await addLane(), await addLane(), await addLane()];
  await sql`update lanes set route = '' where id = ${first.lane.id}`.execute(room.db);
  isDown(first);
  isDown(third);
  delivery = work([first.lane, second.lane, third.lane], { failoverAfterMs: 300 });
  await areUp(second.lane);
  const ids = await room.accept({ accountId: await room.funded(10), lane: first.lane });
  await goDown(first);
  const fence = await movedFrom(third);
  expect((await room.read(ids))[0]).toMatchObject({ laneId: first.lane.id, status: 'PENDING' });
  expect(idsOf(second.sent)).toEqual(fence);
});

it('a new holder does not inherit that its lane put everything off', async () => {
  const first = await addLane();
  await sql`update lanes set rejecting_since = now() - interval '1 hour' where id = ${first.lane.id}`.execute(
    room.db,
  );
  delivery = work([first.lane]);
  await areUp(first.lane);
  const { rows } = await sql`select rejecting_since as since from lanes where id = ${first.lane.id}`.execute(
    room.db,
  );
  expect(rows).toEqual([{ since: null }]);
});
