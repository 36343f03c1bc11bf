import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { openTestDelivery, refusal, scriptedCarrier, type TestDelivery } from '../../../../test/delivery.ts';
import { suspend } from '../../../customer/wallet/index.ts';
import { cancelMessage } from '../cancelling/cancel.ts';
import { countWaitingIn } from './chunk-store.ts';
import { holdAccount, holdStragglers } from './hold-account.ts';

vi.setConfig({ testTimeout: 120_000 });
/** Leases and answers take as long as a busy machine needs. */
const UNHURRIED = { leaseMs: 30_000, answerMs: 30_000 };

let room: TestDelivery;
const woken: number[][] = [];
beforeAll(async () => {
  room = await openTestDelivery();
});
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  expect(await room.differing()).toEqual([]);
  await room.close();
});

const deps: Parameters<typeof holdStragglers>[0] = {
  get db() {
    return room.db;
  },
  wake: async (_, laneIds) => void woken.push(laneIds),
};
const setting = async (count: number) => {
  const accountId = await room.funded(200);
  const scripted = scriptedCarrier(5);
  const lane = await room.addLane(() => scripted.carrier);
  const ids = await room.accept({ accountId, lane, count, priority: 1 });
  const mark = (reason: string | null) =>
    suspend({ db: room.db, queue: { send: async () => {} } }, { accountId, reason });
  const change = async (reason: string | null) => {
    await mark(reason);
    await holdAccount(deps, { accountId });
  };
  return { accountId, lane, ids, scripted, mark, change };
};

test('what a suspended account has waiting is held, and goes out once it is restored', async () => {
  const { lane, ids, scripted, change } = await setting(120);
  const other = await room.accept({ accountId: await room.funded(200), lane, count: 3, priority: 1 });
  await change('spam');
  room.work([lane], UNHURRIED);
  await room.become(other, 'SUCCESS', 60_000);
  expect(await room.countByStatus(ids)).toEqual({ PENDING: 120 });
  expect(scripted.sent).toHaveLength(3);
  await change(null);
  expect(woken.at(-1)).toEqual([lane.id]);
  await room.become(ids, 'SUCCESS', 60_000);
});

test('a held message can be cancelled, and is paid back', async () => {
  const { accountId, ids, change } = await setting(2);
  await change('spam');
  const [messageId] = ids as [MessageId];
  const { refundedMicros } = await cancelMessage(
    { db: room.db, queue: { send: async () => {} } },
    { sender: { accountId, test: false }, messageId },
  );
  expect(refundedMicros).toBeGreaterThan(0n);
  expect(await room.countByStatus(ids)).toEqual({ CANCELLED: 1, PENDING: 1 });
});

test('what a carrier puts off while its account is suspended is held too', async () => {
  const { accountId, lane, ids, scripted, change } = await setting(1);
  let answer: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    scripted.script.answer = async () => {
      resolve();
      await new Promise<void>((done) => {
        answer = done;
      });
      return refusal(true);
    };
  });
  room.work([lane], UNHURRIED);
  await asked;
  await change('spam');
  answer();
  await expect.poll(async () => (await room.read(ids))[0]?.waits, { timeout: 60_000 }).toBe(true);
  const { rows } = await sql<{ due: string }>`
    select due::text from outbox_chunks where account_id = ${accountId}`.execute(room.db);
  expect(rows).toEqual([{ due: 'infinity' }]);
  await change(null);
});

test('a message that came to wait in between is held within a minute', async () => {
  const { accountId, change } = await setting(2);
  await change('spam');
  await sql`update outbox_chunks set due = now() where account_id = ${accountId}`.execute(room.db);
  await holdStragglers(deps);
  const { rows } = await sql<{ due: string }>`
    select distinct due::text from outbox_chunks where account_id = ${accountId}`.execute(room.db);
  expect(rows).toEqual([{ due: 'infinity' }]);
});

test('what was held a moment after its account was restored is released within a minute', async () => {
  const { accountId, lane, ids, scripted, mark, change } = await setting(2);
  await change('spam');
  // As if these had been written by a transaction that still saw the account suspended.
  await mark(null);
  await holdStragglers(deps);
  const { rows } = await sql`
    select from outbox_chunks where account_id = ${accountId} and due = 'infinity'`.execute(room.db);
  expect(rows).toEqual([]);
  expect(woken.at(-1)).toEqual([lane.id]);
  room.work([lane], UNHURRIED);
  await room.become(ids, 'SUCCESS', 60_000);
  expect(scripted.sent).toHaveLength(2);
});

test('what is held is no load of its lane, and is seen by people', async () => {
  const { lane, change } = await setting(2);
  await room.accept({ accountId: await room.funded(200), lane, count: 3, priority: 1 });
  await change('spam');
  expect(await countWaitingIn(room.db, [lane.id], 100)).toEqual(new Map([[lane.id, 3]]));
  expect(await countWaitingIn(room.db, [lane.id], 100, { suspended: true })).toEqual(new Map([[lane.id, 5]]));
});
