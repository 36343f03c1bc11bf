import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import {
  openTestDelivery,
  PRICE_MICROS,
  refusal,
  scriptedCarrier,
  type TestDelivery,
} from '../../../test/delivery.ts';
import type { Lane } from '../lanes/index.ts';
import { noSubscribers, putBack, recoverClaims } from '../outbox/index.ts';
import {
  cancelBatch,
  claimMessages,
  publishNothing,
  resolveMessage,
  transferMessages,
} from '../outbox/testing/index.ts';

let room: TestDelivery;
beforeAll(async () => {
  room = await openTestDelivery();
});
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  expect(await room.differing()).toEqual([]);
  await room.close();
});

const queue = { send: async () => {} };
const admin = randomUUID() as AccountId;

const slow = (ms: number, window: number) => {
  const made = scriptedCarrier(window);
  made.script.answer = async ({ id }) => {
    await sleep(ms);
    return { outcome: 'accepted', providerMessageId: `c-${id}` };
  };
  return made;
};
const throttle = (lane: Lane, limits: string) =>
  sql`update lanes set ${sql.raw(limits)} where id = ${lane.id}`.execute(room.db);

const states = async (ids: MessageId[]) => {
  const rows = await room.read(ids);
  const count = (which: (row: (typeof rows)[number]) => boolean): number => rows.filter(which).length;
  return {
    sent: count(({ status }) => status === 'SUCCESS'),
    claimed: count(({ isClaimed }) => isClaimed),
    waits: count(({ waits }) => waits),
  };
};
const untilThere = (ids: MessageId[], wanted: Awaited<ReturnType<typeof states>>) =>
  vi.waitFor(async () => expect(await states(ids)).toEqual(wanted), { timeout: 10_000, interval: 20 });

/** What waits there is moved, decided and withdrawn, and each counts once. */
const moveDecideAndWithdraw = async (ids: MessageId[], accountId: AccountId): Promise<void> => {
  const waiting = (await room.read(ids)).filter(({ waits }) => waits).map(({ id }) => id);
  const [moved, succeeded, failed] = waiting as [MessageId, MessageId, MessageId];
  const elsewhere = await room.addLane(() => scriptedCarrier().carrier);
  expect(await transferMessages(room.db, { ids: [moved], to: elsewhere.id })).toMatchObject({ moved: 1 });
  const deps = { db: room.db, queue, publish: publishNothing };
  const decided = { by: admin, reason: '', code: '' };
  for (const [id, to] of [
    [succeeded, 'SUCCESS'],
    [failed, 'FAILED'],
  ] as const)
    expect(await resolveMessage(deps, { id, to, ...decided })).toEqual({ changed: true, was: 'PENDING' });
  const { rows } = await sql<{ batchId: string }>`
    select distinct batch_id as "batchId" from messages where id = any(${ids}::uuid[])`.execute(room.db);
  for (const { batchId } of rows)
    await cancelBatch(
      { db: room.db, queue },
      { sender: { accountId, test: false } as never, batchId: batchId as never },
    );
  const counts = await room.countByStatus(ids);
  expect(counts).toEqual({
    SUCCESS: ids.length - waiting.length + 1,
    FAILED: 1,
    CANCELLED: waiting.length - 2,
  });
  expect(await room.balance(accountId)).toBe(
    10_000_000n - PRICE_MICROS * BigInt(ids.length - waiting.length + 1),
  );
};

it.each([
  ['singles', 0, 'throttle_ten_minutes = 10'],
  ['a file', 1, 'throttle_ten_minutes = 10'],
  ['singles', 0, 'throttle_ten_minutes = 50, throttle_one_day = 10'],
])(
  'a phone whose throttle is used up has nothing of %s claimed (priority %i, %s), and what waits is moved, decided and withdrawn',
  async (_, priority, limits) => {
    const { carrier, sent } = slow(20, 3);
    const lane = await room.addLane(() => carrier);
    await throttle(lane, limits);
    const accountId = await room.funded(10);
    const ids = await room.accept({ accountId, lane, count: 20, priority });
    const delivery = room.work([lane]);
    await vi.waitFor(() => expect(sent.length).toBeGreaterThan(2));
    ids.push(...(await room.accept({ accountId, lane, count: 10, priority })));
    await untilThere(ids, { sent: 10, claimed: 0, waits: 20 });
    await moveDecideAndWithdraw(ids, accountId);
    await delivery.stop(500);
    expect(sent).toHaveLength(10);
  },
);

it('singles that overtake a file in a throttled lane send the file back, and the limit holds', async () => {
  const { carrier, sent } = slow(60, 1);
  const lane = await room.addLane(() => carrier);
  await throttle(lane, 'throttle_ten_minutes = 6');
  const accountId = await room.funded(10);
  const file = await room.accept({ accountId, lane, count: 20, priority: 1 });
  const delivery = room.work([lane]);
  await vi.waitFor(() => expect(sent.length).toBeGreaterThan(1));
  const singles = await room.accept({ accountId, lane, count: 10 });
  await untilThere([...file, ...singles], { sent: 6, claimed: 0, waits: 24 });
  await delivery.stop(500);
});

it('what waits behind a full window is given back, and claimed again only as there is room', async () => {
  const { carrier, sent, script } = scriptedCarrier(4);
  let answer: () => void = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  script.answer = async ({ id }) => {
    if (sent.length > 40) await answered;
    return { outcome: 'accepted', providerMessageId: `c-${id}` };
  };
  const lane = await room.addLane(() => carrier);
  const accountId = await room.funded(10);
  const ids = await room.accept({ accountId, lane, count: 60, priority: 1 });
  ids.push(...(await room.accept({ accountId, lane, count: 40 })));
  const delivery = room.work([lane], { answerMs: 60_000 });
  // By the pace before, all might go out soon: what was claimed for that goes back, and then it stays so.
  await vi.waitFor(
    async () => {
      for (const afterMs of [0, 600]) {
        await sleep(afterMs);
        expect(await states(ids)).toEqual({ sent: 40, claimed: 4, waits: 56 });
      }
    },
    { timeout: 20_000, interval: 20 },
  );
  // Later looks and new messages claim nothing beyond the window either.
  ids.push(...(await room.accept({ accountId, lane, count: 5 })));
  for (let look = 0; look < 10; look += 1) {
    await sleep(60);
    expect(await states(ids)).toEqual({ sent: 40, claimed: 4, waits: 61 });
  }
  answer();
  await room.become(ids, 'SUCCESS');
  expect(new Set(sent.map(({ id }) => id)).size).toBe(105);
  await delivery.stop(500);
});

it('what a pause of the carrier holds up is given back', async () => {
  const { carrier, script, sent } = scriptedCarrier(4);
  // Slow enough that more than the window is claimed when the pause begins.
  script.answer = async () => {
    await sleep(30);
    return refusal(true);
  };
  const lane = await room.addLane(() => carrier);
  const accountId = await room.funded(10);
  const ids = await room.accept({ accountId, lane, count: 60 });
  const delivery = room.work([lane]);
  // The pauses double: after the sixth window it is one of three seconds.
  await vi.waitFor(() => expect(sent).toHaveLength(24), { timeout: 20_000, interval: 10 });
  await untilThere(ids, { sent: 0, claimed: 0, waits: 60 });
  expect(sent, 'the pause is not over').toHaveLength(24);
  await moveDecideAndWithdraw(ids, accountId);
  await delivery.stop(500);
});

it('what a lane had claimed that an admin pauses waits at once', async () => {
  const { carrier, sent } = slow(100, 2);
  const lane = await room.addLane(() => carrier);
  const accountId = await room.funded(10);
  const ids = await room.accept({ accountId, lane, count: 30 });
  const delivery = room.work([lane]);
  await vi.waitFor(() => expect(sent.length).toBeGreaterThan(2));
  await sql`update lanes set mode = 'paused', revision = revision + 1 where id = ${lane.id}`.execute(room.db);
  await vi.waitFor(async () => {
    const { claimed, waits } = await states(ids);
    expect({ claimed, waits: waits > 0 }).toEqual({ claimed: 0, waits: true });
  });
  await moveDecideAndWithdraw(ids, accountId);
  await delivery.stop(500);
});

it("a worker that is killed while it gives back leaves all in its claim; what was given back is the next one's alone", async () => {
  const lane = await room.addLane(() => scriptedCarrier().carrier);
  const ids = await room.accept({ accountId: await room.funded(10), lane, count: 10 });
  const lease = { laneId: lane.id, holder: randomUUID() };
  await room.takeLane(lane.id, lease.holder);
  const claim = async () => (await claimMessages(room.db, { ...lease, limit: 10 })).claimed;
  const recover = (handed: MessageId[]) =>
    recoverClaims(room.db, {
      leases: [lease],
      publisher: noSubscribers,
      fateOf: ({ id }) => (handed.includes(id) ? 'not answered' : 'never handed over'),
    });
  const claimed = await claim();
  // It has taken them out of its claim, and can't put them where they wait.
  const killed = await room.db.transaction().execute(async (trx) => {
    await sql`lock table outbox_chunks in share mode`.execute(trx);
    const giving = putBack(room.db, lease.holder, claimed.slice(5)).then(
      () => 'given back',
      () => 'killed',
    );
    await vi.waitFor(async () => {
      const { rows } = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'relation'`.execute(
        trx,
      );
      expect(rows).toHaveLength(1);
    });
    return giving;
  });
  expect(killed).toBe('killed');
  expect(await claim()).toEqual([]);
  expect(await states(ids)).toEqual({ sent: 0, claimed: 10, waits: 0 });
  expect(await recover([claimed[0]?.id as MessageId])).toEqual({ waiting: 9, answered: 0, unknown: 1 });
  const again = await claim();
  expect(again).toHaveLength(9);
  await putBack(room.db, lease.holder, again.slice(3));
  const next = await claim();
  expect(next).toHaveLength(6);
  // The first would give the same back once more: they are another claim's by now.
  await putBack(room.db, lease.holder, again.slice(3));
  expect(await states(ids)).toEqual({ sent: 0, claimed: 9, waits: 0 });
  expect(await recover([])).toEqual({ waiting: 9, answered: 0, unknown: 0 });
});
