import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { BatchId, MessageId } from '../../../../contract/traffic/messages.ts';
import { changeWaiting } from '../../../../test/chunks.ts';
import {
  openTestDelivery,
  PRICE_MICROS,
  scriptedCarrier,
  type TestDelivery,
} from '../../../../test/delivery.ts';
import { claimMessages } from '../waiting/claim-store.ts';
import { takeUnsent } from '../waiting/claimed-store.ts';
import { waitAgain } from '../waiting/wait-again.ts';
import { cancelBatch, cancelExpired, cancelMessage, cancelRest } from './cancel.ts';

let room: TestDelivery;
let deps: Parameters<typeof cancelBatch>[0];
beforeAll(async () => {
  room = await openTestDelivery();
  deps = { db: room.db, queue: { send: async () => {} } };
});
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  expect(await room.differing()).toEqual([]);
  await room.close();
});

const setting = async (count: number) => {
  const accountId = await room.funded(200);
  const scripted = scriptedCarrier(2);
  const lane = await room.addLane(() => scripted.carrier);
  const ids = await room.accept({ accountId, lane, count, priority: 1 });
  const { rows } = await sql<{ id: BatchId }>`select id from batches where account_id = ${accountId}`.execute(
    room.db,
  );
  return { accountId, lane, ids, scripted, batchId: rows[0]?.id as BatchId };
};
const as = (accountId: AccountId, test = false) => ({ accountId, test });
const someoneWaitsForLock = () =>
  expect
    .poll(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(room.db);
      return rows.length;
    })
    .toBe(1);
const START = 200_000_000n;

it('a waiting message is withdrawn and refunded, once however often it is asked for', async () => {
  const { accountId, ids } = await setting(2);
  const [messageId] = ids as [MessageId];
  const asked = Array.from({ length: 5 }, () => cancelMessage(deps, { sender: as(accountId), messageId }));
  const refunds = (await Promise.all(asked)).map(({ refundedMicros }) => refundedMicros);
  expect(refunds.reduce((a, b) => a + b)).toBe(PRICE_MICROS);
  expect(await room.countByStatus(ids)).toEqual({ CANCELLED: 1, PENDING: 1 });
  expect(await room.balance(accountId)).toBe(START - PRICE_MICROS);
});

it.each([
  ['to another lane', sql`update outbox_chunks set lane_id = 0 where account_id = `],
  ['into another chunk', sql`with gone as (delete from outbox_chunks where account_id = `],
])('a message that goes %s at that very moment is withdrawn all the same', async (where, change) => {
  const { accountId, ids } = await setting(2);
  const [messageId] = ids as [MessageId];
  const into = where.endsWith('chunk')
    ? sql` returning *) insert into outbox_chunks (lane_id, priority, account_id, due, created_at, tried_lanes, ids)
        select lane_id, priority, account_id, due, created_at, tried_lanes, ids from gone`
    : sql``;
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const moving = room.db.transaction().execute(async (trx) => {
    await sql`${change}${accountId}${into}`.execute(trx);
    begin();
    await mayEnd;
  });
  await begun;
  const cancelling = cancelMessage(deps, { sender: as(accountId), messageId });
  await someoneWaitsForLock();
  end();
  await moving;
  expect(await cancelling).toEqual({ refundedMicros: PRICE_MICROS });
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
});

it("another's message is not found, and the test secret can't touch what was paid", async () => {
  const { accountId, ids, batchId } = await setting(1);
  const [messageId] = ids as [MessageId];
  const stranger = await room.funded(1);
  for (const sender of [as(stranger), as(accountId, true)]) {
    await expect(cancelMessage(deps, { sender, messageId })).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    await expect(cancelBatch(deps, { sender, batchId })).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  }
  expect(await room.countByStatus(ids)).toEqual({ PENDING: 1 });
});

it('what is claimed or has ended is not cancelled', async () => {
  const { accountId, lane, ids, scripted } = await setting(1);
  scripted.script.answer = () => 'never';
  const delivery = room.work([lane], { answerMs: 60_000 });
  await expect.poll(() => scripted.sent.length).toBe(1);
  const asked = { sender: as(accountId), messageId: ids[0] as MessageId };
  await expect(cancelMessage(deps, asked)).rejects.toMatchObject({ code: 'E_NOT_WAITING' });
  await delivery.stop(100);
});

it('a batch is withdrawn while it goes out: none is both sent and refunded', async () => {
  const { accountId, lane, ids, scripted, batchId } = await setting(4_000);
  const delivery = room.work([lane]);
  await expect.poll(() => scripted.sent.length).toBeGreaterThan(50);
  const sender = as(accountId);
  const answers = await Promise.all([
    cancelBatch(deps, { sender, batchId }),
    cancelBatch(deps, { sender, batchId }),
  ]);
  await expect.poll(async () => (await room.countByStatus(ids)).PENDING ?? 0).toBe(0);
  await cancelRest(room.db, batchId, new AbortController().signal);
  const { CANCELLED: cancelled = 0, SUCCESS: sent = 0 } = await room.countByStatus(ids);
  expect(cancelled).toBeGreaterThan(0);
  expect(cancelled + sent).toBe(4_000);
  expect(scripted.sent).toHaveLength(sent);
  expect(new Set(scripted.sent.map(({ id }) => id)).size).toBe(sent);
  const refunded = answers.reduce((sum, { refundedMicros }) => sum + refundedMicros, 0n);
  expect(refunded).toBe(PRICE_MICROS * BigInt(cancelled));
  expect(await room.balance(accountId)).toBe(START - PRICE_MICROS * BigInt(sent));
  await delivery.stop(500);
});

it('a message whose time is over is neither claimed nor kept: it is cancelled and refunded', async () => {
  const { accountId, lane, ids, scripted } = await setting(3);
  const late = ids.slice(0, 2);
  await changeWaiting(room.db, sql`expires_at = now()`, sql`id = any(${late}::uuid[])`);
  const delivery = room.work([lane]);
  await room.become(ids.slice(2), 'SUCCESS');
  expect(scripted.sent).toHaveLength(1);
  expect(await cancelExpired(room.db)).toBe(2);
  expect(await room.read(late)).toMatchObject([{ code: 'E_TOO_LATE' }, { code: 'E_TOO_LATE' }]);
  expect(await room.balance(accountId)).toBe(START - PRICE_MICROS);
  await delivery.stop(500);
});

it('what was locked for a moment, as when it goes by another lane, is withdrawn too', async () => {
  const { accountId, ids, batchId } = await setting(20);
  const cancelling = await room.db.transaction().execute(async (trx) => {
    await sql`select from messages where id = any(${ids.slice(0, 5)}::uuid[]) for update`.execute(trx);
    const answer = cancelBatch(deps, { sender: as(accountId), batchId });
    await someoneWaitsForLock();
    return { answer };
  });
  expect(await cancelling.answer).toMatchObject({ cancelled: 20, waiting: 0 });
  expect(await room.countByStatus(ids)).toEqual({ CANCELLED: 20 });
  expect(await room.balance(accountId)).toBe(START);
});

it('what a worker puts back at that very moment is withdrawn too', async () => {
  const { accountId, lane, ids, batchId } = await setting(2);
  const holder = randomUUID();
  await room.takeLane(lane.id, holder);
  const { claimed } = await claimMessages(room.db, { laneId: lane.id, holder, limit: 2 });
  const cancelling = await room.db.transaction().execute(async (trx) => {
    await waitAgain(trx, await takeUnsent(trx, holder, claimed));
    const answer = cancelBatch(deps, { sender: as(accountId), batchId });
    await someoneWaitsForLock();
    return { answer };
  });
  expect(await cancelling.answer).toMatchObject({ cancelled: 2, waiting: 0 });
  expect(await room.countByStatus(ids)).toEqual({ CANCELLED: 2 });
  expect(await room.balance(accountId)).toBe(START);
});
