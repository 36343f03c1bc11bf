import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import {
  openTestDelivery,
  PRICE_MICROS,
  refusal,
  scriptedCarrier,
  type TestDelivery,
} from '../../../test/delivery.ts';
import { openDatabase } from '../../ground/postgres/index.ts';
import { markUnknown, putBack } from '../outbox/index.ts';
import { claimMessages, reconcile } from '../outbox/testing/index.ts';

let room: TestDelivery;
beforeAll(async () => {
  room = await openTestDelivery();
});
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  await room.close();
});

const dollars = (messages: number) => PRICE_MICROS * BigInt(messages);

it('an accepted message is sent with the id and time of the carrier', async () => {
  const { carrier, sent } = scriptedCarrier();
  const lane = await room.addLane(() => carrier);
  const delivery = room.work([lane]);
  const ids = await room.accept({ accountId: await room.funded(10), lane, count: 3 });
  await room.become(ids, 'SUCCESS');
  for (const row of await room.read(ids))
    expect(row).toMatchObject({ providerMessageId: `c-${row.id}`, sentAt: expect.any(Date), attempts: 1 });
  expect(sent.map(({ id }) => id).sort()).toEqual(ids.sort());
  await delivery.stop(500);
});

it('a single message to an idle lane reaches the carrier at once, and by no poll', async () => {
  const { carrier, sent } = scriptedCarrier();
  const lane = await room.addLane(() => carrier);
  // The lanes are asked for work every half of the time for an answer, too.
  const delivery = room.work([lane], { pollMs: 120_000, leaseMs: 120_000, answerMs: 240_000 });
  const accountId = await room.funded(10);
  await room.become(await room.accept({ accountId, lane }), 'SUCCESS');
  await sleep(100);
  await room.accept({ accountId, lane });
  await vi.waitFor(() => expect(sent).toHaveLength(2), { interval: 1 });
  await delivery.stop(500);
});

it('a refused message fails and is refunded once', async () => {
  const { carrier, script } = scriptedCarrier();
  script.answer = ({ recipient }) =>
    recipient.endsWith('0') ? refusal(false) : { outcome: 'accepted', providerMessageId: randomUUID() };
  const lane = await room.addLane(() => carrier);
  const accountId = await room.funded(10);
  const ids = await room.accept({ accountId, lane, count: 100 });
  const delivery = room.work([lane]);
  await vi.waitFor(async () => expect(await room.countByStatus(ids)).toEqual({ SUCCESS: 90, FAILED: 10 }));
  expect(await room.balance(accountId)).toBe(10_000_000n - dollars(90));
  expect(await room.differing()).toEqual([]);
  await delivery.stop(500);
});

it('a message that is put off goes out later, and never while it is in flight', async () => {
  const { carrier, script, sent, setUp } = scriptedCarrier();
  let refusals = 3;
  script.answer = ({ id }) => {
    refusals -= 1;
    // They go out again after a second: not before somebody has looked.
    if (refusals === 0) setUp(false);
    return refusals >= 0 ? refusal(true) : { outcome: 'accepted', providerMessageId: `c-${id}` };
  };
  const lane = await room.addLane(() => carrier);
  const accountId = await room.funded(10);
  const ids = await room.accept({ accountId, lane, count: 3 });
  const delivery = room.work([lane]);
  await vi.waitFor(() => expect(sent).toHaveLength(3));
  await vi.waitFor(async () =>
    expect((await room.read(ids)).every(({ isClaimed, code }) => !isClaimed && code === 'BUSY')).toBe(true),
  );
  setUp(true);
  await room.become(ids, 'SUCCESS');
  expect(sent).toHaveLength(6);
  expect((await room.read(ids)).map(({ attempts }) => attempts)).toEqual([2, 2, 2]);
  expect(await room.balance(accountId)).toBe(10_000_000n - dollars(3));
  await delivery.stop(500);
});

it('a carrier that never answers leaves the message unknown; it is shown as such and never sent again', async () => {
  const { carrier, script, sent } = scriptedCarrier();
  script.answer = () => 'never';
  const lane = await room.addLane(() => carrier);
  const accountId = await room.funded(10);
  const ids = await room.accept({ accountId, lane, count: 25 });
  const delivery = room.work([lane], { answerMs: 400 });
  await vi.waitFor(async () =>
    expect((await room.read(ids)).every(({ unknownSince }) => unknownSince)).toBe(true),
  );
  expect(await room.countByStatus(ids)).toEqual({ PENDING: 25 });
  await reconcile(room.db, { unknownMs: 0 });
  expect(await room.countByStatus(ids)).toEqual({ FAILED_WITH_EXCEPTION: 25 });
  // A claim takes all that waits: had one of them waited again, it would go out no later than this message.
  script.answer = ({ id }) => ({ outcome: 'accepted', providerMessageId: `c-${id}` });
  const fence = await room.accept({ accountId: await room.funded(1), lane });
  await room.become(fence, 'SUCCESS');
  expect(sent.map(({ id }) => id).sort()).toEqual([...ids, ...fence].sort());
  expect(await room.balance(accountId)).toBe(10_000_000n - dollars(25));
  await delivery.stop(500);
});

it('what a dead worker had claimed is unknown and not sent again; the rest goes out', async () => {
  const { carrier, sent } = scriptedCarrier();
  const lane = await room.addLane(() => carrier);
  const ids = await room.accept({ accountId: await room.funded(10), lane, count: 20 });
  const holder = randomUUID();
  await room.takeLane(lane.id, holder);
  const { claimed: lost } = await claimMessages(room.db, { laneId: lane.id, holder, limit: 8 });
  expect(lost).toHaveLength(8);
  await room.dieOn(lane.id);
  const delivery = room.work([lane]);
  const lostIds = new Set(lost.map(({ id }) => id));
  const rest = ids.filter((id) => !lostIds.has(id));
  await room.become(rest, 'SUCCESS');
  expect(
    (await room.read([...lostIds])).every(({ status, unknownSince }) => status === 'PENDING' && unknownSince),
  ).toBe(true);
  await reconcile(room.db, { unknownMs: 0 });
  expect(await room.countByStatus([...lostIds])).toEqual({ FAILED_WITH_EXCEPTION: 8 });
  expect(sent.map(({ id }) => id).sort()).toEqual(rest.sort());
  await delivery.stop(500);
});

it('what is put back waits once, also if nobody heard that it was put back', async () => {
  const lane = await room.addLane(() => scriptedCarrier().carrier);
  const ids = await room.accept({ accountId: await room.funded(10), lane, count: 12 });
  const holder = randomUUID();
  await room.takeLane(lane.id, holder);
  const { claimed } = await claimMessages(room.db, { laneId: lane.id, holder, limit: 10 });
  // Two of them are in flight.
  const back = claimed.slice(2);
  await putBack(room.db, holder, back);
  await putBack(room.db, holder, back);
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  expect((await room.read(ids)).filter(({ waits }) => waits)).toHaveLength(10);
  expect((await claimMessages(room.db, { laneId: lane.id, holder, limit: 20 })).claimed).toHaveLength(10);
});

it('what is unknown is put back by the worker that claimed it last, and by no other', async () => {
  const lane = await room.addLane(() => scriptedCarrier().carrier);
  const [id] = (await room.accept({ accountId: await room.funded(10), lane })) as [MessageId];
  const claim = async (holder: string) => {
    await room.takeLane(lane.id, holder);
    return (await claimMessages(room.db, { laneId: lane.id, holder, limit: 1 })).claimed;
  };
  /** Dies, and another worker takes over. */
  const lose = async () => {
    await room.dieOn(lane.id);
    const holder = randomUUID();
    await room.takeLane(lane.id, holder);
    await markUnknown(room.db, [{ laneId: lane.id, holder }]);
    await room.dieOn(lane.id);
  };
  const isUnknown = async () => (await room.read([id]))[0]?.unknownSince !== null;
  const [first, second] = [randomUUID(), randomUUID()];
  const once = await claim(first);
  await lose();
  expect(await isUnknown()).toBe(true);
  await putBack(room.db, first, once);
  expect(await isUnknown()).toBe(false);
  const twice = await claim(second);
  await lose();
  // The first did not hear that it had put it back.
  await putBack(room.db, first, once);
  expect((await room.read([id]))[0]).toMatchObject({ waits: false, unknownSince: expect.any(Date) });
  await putBack(room.db, second, twice);
  expect((await room.read([id]))[0]).toMatchObject({ waits: true, unknownSince: null });
});

it('nobody claims from a lane that is not theirs', async () => {
  const lane = await room.addLane(() => scriptedCarrier().carrier);
  await room.accept({ accountId: await room.funded(10), lane, count: 2 });
  const [first, second] = [randomUUID(), randomUUID()];
  expect(await room.takeLane(lane.id, first)).toBe(true);
  expect(await room.takeLane(lane.id, second)).toBe(false);
  expect((await claimMessages(room.db, { laneId: lane.id, holder: second, limit: 10 })).claimed).toEqual([]);
  expect((await claimMessages(room.db, { laneId: lane.id, holder: first, limit: 10 })).claimed).toHaveLength(
    2,
  );
});

it('two workers on one lane send each message once, by one connection, and the second follows the first', async () => {
  const carriers = [scriptedCarrier(), scriptedCarrier()] as const;
  const lane = await room.addLane(() => carriers[0].carrier);
  const accountId = await room.funded(100);
  // A lease that lapses, since a busy machine renews it late, would move the lane.
  const first = room.work([lane], { leaseMs: 10_000 });
  const second = room.work([{ ...lane, carrier: () => carriers[1].carrier }], { leaseMs: 10_000 });
  const ids = await room.accept({ accountId, lane, count: 1_000 });
  await room.become(ids, 'SUCCESS');
  expect(carriers[0].script.opened + carriers[1].script.opened).toBe(1);
  const [busy, idle] = carriers[0].script.opened ? [first, second] : [second, first];
  await busy.stop(500);
  const more = await room.accept({ accountId, lane, count: 100 });
  await room.become(more, 'SUCCESS');
  const sent = [...carriers[0].sent, ...carriers[1].sent].map(({ id }) => id);
  expect(sent).toHaveLength(1_100);
  expect(new Set(sent).size).toBe(1_100);
  await idle.stop(500);
});

it('a worker that loses its lane stops sending; what it had sent is told, what it had not goes back', async () => {
  const slow = scriptedCarrier(5);
  slow.script.answer = async ({ id }) => {
    await sleep(100);
    return { outcome: 'accepted', providerMessageId: `c-${id}` };
  };
  const lane = await room.addLane(() => slow.carrier);
  const ids = await room.accept({ accountId: await room.funded(100), lane, count: 200 });
  const first = room.work([lane]);
  await vi.waitFor(() => expect(slow.sent.length).toBeGreaterThan(10));
  await sql`update lanes set leased_by = null where id = ${lane.id}`.execute(room.db);
  const quick = scriptedCarrier(50);
  const second = room.work([{ ...lane, carrier: () => quick.carrier }]);
  await room.become(ids, 'SUCCESS');
  const sent = [...slow.sent, ...quick.sent].map(({ id }) => id);
  expect(quick.sent.length).toBeGreaterThan(0);
  expect(new Set(sent).size).toBe(sent.length);
  await Promise.all([first.stop(500), second.stop(500)]);
});

it('stopping lets what is in flight finish and puts the rest back', async () => {
  const slow = scriptedCarrier(20);
  slow.script.answer = async ({ id }) => {
    await sleep(150);
    return { outcome: 'accepted', providerMessageId: `c-${id}` };
  };
  const lane = await room.addLane(() => slow.carrier);
  const ids = await room.accept({ accountId: await room.funded(100), lane, count: 100 });
  const delivery = room.work([lane]);
  await vi.waitFor(() => expect(slow.sent.length).toBeGreaterThan(0));
  await delivery.stop(2_000);
  const rows = await room.read(ids);
  const sent = new Set(slow.sent.map(({ id }) => id));
  expect(sent.size).toBeLessThan(100);
  for (const { id, status, waits, attempts } of rows)
    expect({ id, status, attempts, waits }).toEqual(
      sent.has(id)
        ? { id, status: 'SUCCESS', attempts: 1, waits: false }
        : { id, status: 'PENDING', attempts: 0, waits: true },
    );
});

it('a single message overtakes a large batch', async () => {
  const slow = scriptedCarrier(10);
  slow.script.answer = async ({ id }) => {
    await sleep(20);
    return { outcome: 'accepted', providerMessageId: `c-${id}` };
  };
  const lane = await room.addLane(() => slow.carrier);
  const accountId = await room.funded(200);
  const batch = await room.accept({ accountId, lane, count: 3_000, priority: 1 });
  const delivery = room.work([lane]);
  await vi.waitFor(() => expect(slow.sent.length).toBeGreaterThan(100));
  const [single] = (await room.accept({ accountId, lane })) as [MessageId];
  // Not before it was accepted: however long that took, the batch went on.
  const before = slow.sent.length;
  await vi.waitFor(() => expect(slow.sent.some(({ id }) => id === single)).toBe(true), { interval: 2 });
  expect(slow.sent.findIndex(({ id }) => id === single) - before).toBeLessThan(300);
  expect((await room.countByStatus(batch)).PENDING).toBeGreaterThan(1_000);
  await delivery.stop(500);
});

it('singles that come faster than the carrier takes them are claimed as there is room, and all go out', async () => {
  const slow = scriptedCarrier(2);
  slow.script.answer = async ({ id }) => {
    await sleep(15);
    return { outcome: 'accepted', providerMessageId: `c-${id}` };
  };
  const lane = await room.addLane(() => slow.carrier);
  const delivery = room.work([lane]);
  const accountId = await room.funded(100);
  const ids: MessageId[] = [];
  for (let at = 0; at < 100; at += 1) ids.push(...(await room.accept({ accountId, lane, count: 3 })));
  await room.become(ids, 'SUCCESS');
  expect(new Set(slow.sent.map(({ id }) => id)).size).toBe(slow.sent.length);
  await delivery.stop(500);
});

it('accounts take turns: a small batch does not wait behind a large one', async () => {
  const slow = scriptedCarrier(10);
  slow.script.answer = async ({ id }) => {
    await sleep(5);
    return { outcome: 'accepted', providerMessageId: `c-${id}` };
  };
  const lane = await room.addLane(() => slow.carrier);
  await room.accept({ accountId: await room.funded(200), lane, count: 3_000, priority: 1 });
  const small = await room.accept({ accountId: await room.funded(10), lane, count: 50, priority: 1 });
  const delivery = room.work([lane]);
  await room.become(small, 'SUCCESS');
  // By their order: the large one goes on until somebody looks.
  const isSmall = new Set(small);
  expect(slow.sent.findLastIndex(({ id }) => isSmall.has(id))).toBeLessThan(1_500);
  await delivery.stop(500);
});

it('a carrier that hangs, one that is down and one that does not open slow no other lane', async () => {
  const [hanging, down, closed, good] = [
    scriptedCarrier(),
    scriptedCarrier(),
    scriptedCarrier(),
    scriptedCarrier(),
  ];
  hanging.script.answer = () => 'never';
  down.script.up = false;
  closed.script.open = () => new Promise(() => {});
  const lanes = await Promise.all(
    [hanging, down, closed, good].map(({ carrier }) => room.addLane(() => carrier)),
  );
  const accountId = await room.funded(200);
  const batches = [];
  for (const lane of lanes) batches.push(await room.accept({ accountId, lane, count: 500 }));
  const delivery = room.work(lanes);
  await room.become(batches[3] as MessageId[], 'SUCCESS');
  expect(await room.countByStatus(batches[1] as MessageId[])).toEqual({ PENDING: 500 });
  expect(await room.countByStatus(batches[2] as MessageId[])).toEqual({ PENDING: 500 });
  closed.script.open = async () => {};
  await room.become(batches[2] as MessageId[], 'SUCCESS');
  down.setUp(true);
  await room.become(batches[1] as MessageId[], 'SUCCESS');
  await delivery.stop(100);
});

it('a lane that goes down puts back what it had not handed over, so that it can go elsewhere', async () => {
  const cut = scriptedCarrier(5);
  cut.script.answer = async ({ id }) => {
    await sleep(50);
    return { outcome: 'accepted', providerMessageId: `c-${id}` };
  };
  const lane = await room.addLane(() => cut.carrier);
  const ids = await room.accept({ accountId: await room.funded(100), lane, count: 300 });
  const delivery = room.work([lane]);
  await vi.waitFor(() => expect(cut.sent.length).toBeGreaterThan(20));
  cut.setUp(false);
  await vi.waitFor(async () => {
    const pending = (await room.read(ids)).filter(({ status }) => status === 'PENDING');
    expect(pending.length).toBeGreaterThan(0);
    expect(pending.every(({ isClaimed }) => !isClaimed)).toBe(true);
  });
  await vi.waitFor(async () => {
    const { rows } = await sql`select up, state_reason from lanes where id = ${lane.id}`.execute(room.db);
    expect(rows).toEqual([{ up: false, state_reason: 'cut' }]);
  });
  cut.setUp(true);
  await room.become(ids, 'SUCCESS');
  expect(new Set(cut.sent.map(({ id }) => id)).size).toBe(cut.sent.length);
  await delivery.stop(500);
});

it('broken database connections lose nothing and double nothing', async () => {
  const slow = scriptedCarrier(50);
  slow.script.answer = async ({ id }) => {
    await sleep(10);
    return { outcome: 'accepted', providerMessageId: `c-${id}` };
  };
  const lane = await room.addLane(() => slow.carrier);
  const ids = await room.accept({ accountId: await room.funded(200), lane, count: 2_000, priority: 1 });
  const delivery = room.work([lane], { leaseMs: 5_000 });
  // Not by one of those that are broken: it may not know yet that it is.
  const breaking = openDatabase({ url: room.url, max: 1, onError: () => {} });
  onTestFinished(breaking.close);
  for (let i = 0; i < 6; i += 1) {
    await sleep(60);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(breaking.db);
  }
  await room.become(ids, 'SUCCESS');
  expect(slow.sent).toHaveLength(2_000);
  expect(new Set(slow.sent.map(({ id }) => id)).size).toBe(2_000);
  await delivery.stop(500);
});
