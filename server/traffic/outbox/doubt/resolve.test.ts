import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { resolvingCalls } from '../../../../contract/office/resolving.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { INVALID_CONTACT, type Verdict } from '../../../../contract/traffic/verdicts.ts';
import {
  openTestDelivery,
  PRICE_MICROS,
  scriptedCarrier,
  type TestDelivery,
} from '../../../../test/delivery.ts';
import { listItemMoves } from '../../../customer/wallet/index.ts';
import { type Db, indexOnlyTransaction } from '../../../ground/postgres/index.ts';
import { adminResolveRoutes } from '../admin-routes.ts';
import { cancelMessage } from '../cancelling/cancel.ts';
import type { OutboxEvent } from '../outbox-event.ts';
import { reconcile } from '../results/reconcile.ts';
import { recordReceipts } from '../results/record-receipts.ts';
import { claimMessages } from '../waiting/claim-store.ts';
import { markUnknown } from '../waiting/claimed-store.ts';
import { type ResolveDeps, resolveMessage, resolveWithin } from './resolve.ts';
import { listResolutions } from './resolve-store.ts';

const START = 10_000_000n;
const LIMIT = { timeout: 20_000 };
let room: TestDelivery;
let deps: ResolveDeps;
let admin: AccountId;
const told: OutboxEvent[] = [];
beforeAll(async () => {
  room = await openTestDelivery();
  admin = await room.funded();
  const publish: ResolveDeps['publish'] = async (_, events) => void told.push(...events);
  deps = { db: room.db, queue: room.deps.queue, publish };
});
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  expect(await room.differing()).toEqual([]);
  await room.close();
});

const setting = async (count = 1, dollars = 10) => {
  const accountId = await room.funded(dollars);
  const scripted = scriptedCarrier();
  const lane = await room.addLane(() => scripted.carrier);
  const ids = await room.accept({ accountId, lane, count, priority: 1 });
  return { accountId, scripted, lane, ids, id: ids[0] as MessageId };
};
const failure = { reason: INVALID_CONTACT.reason, code: INVALID_CONTACT.errorCode };
const resolve = (id: MessageId, to: Verdict) =>
  resolveMessage(deps, { id, to, by: admin, ...(to === 'FAILED' ? failure : { reason: '', code: '' }) });
const statusOf = async (id: MessageId) => (await room.read([id]))[0]?.status;
const movesOf = async (accountId: AccountId, id: MessageId) =>
  (await listItemMoves(room.db, { accountId, item: `message:${id}` })).map(({ kind }) => kind);
/** As if its worker had died after it had handed the message over. */
const loseAnswer = async (laneId: number, id: MessageId) => {
  const holder = randomUUID();
  await room.takeLane(laneId, holder);
  const { claimed } = await claimMessages(room.db, { laneId, holder, limit: 1 });
  expect(claimed.map((one) => one.id)).toEqual([id]);
  await markUnknown(room.db, [{ laneId, holder: randomUUID() }]);
};

it.each(['SUCCESS', 'FAILED'] as const)(
  'a waiting message that is resolved as %s leaves its lane and is never sent',
  async (to) => {
    const { accountId, scripted, lane, ids, id } = await setting(3);
    told.length = 0;
    expect(await resolve(id, to)).toEqual({ changed: true, was: 'PENDING' });
    expect(await resolve(id, to)).toEqual({ changed: false, was: to });
    expect(told).toMatchObject([{ event: to === 'SUCCESS' ? 'sent' : 'failed', id, accountId }]);
    expect(await room.read([id])).toMatchObject([
      { status: to, waits: false, code: to === 'FAILED' ? 'E_INVALID_CONTACT' : '' },
    ]);
    const delivery = room.work([lane]);
    await room.become(ids.slice(1), 'SUCCESS', 20_000);
    expect(scripted.sent.map((sent) => sent.id).toSorted()).toEqual(ids.slice(1).toSorted());
    await delivery.stop(300);
    const refunded = to === 'FAILED' ? PRICE_MICROS : 0n;
    expect(await room.balance(accountId)).toBe(START - 3n * PRICE_MICROS + refunded);
    expect(await listResolutions(room.db, id)).toMatchObject([{ was: 'PENDING', became: to, by: admin }]);
  },
);

it.each([
  [{}, 'E_INVALID_CONTACT'],
  [{ code: 'E_ABSENT' }, 'E_ABSENT'],
  [{ errorCode: 'E_GONE' }, 'E_GONE'],
  [{ errorCode: 'E_GONE', code: 'E_ABSENT' }, 'E_GONE'],
])('the code of a failure is taken as errorCode or as code: %o', async (given, code) => {
  const { id } = await setting();
  const call = adminResolveRoutes(deps)['POST /message/:jobId/failed'];
  const body = resolvingCalls['POST /message/:jobId/failed'].body.parse(given);
  await call?.({ caller: { accountId: admin }, params: { jobId: id }, body, changed: () => {} } as never);
  expect(await room.read([id])).toMatchObject([{ status: 'FAILED', code }]);
});

it('of many that become FAILED, the refund counts those that were not refunded before', async () => {
  const { accountId, ids } = await setting(10);
  const fail = (some: MessageId[]) =>
    indexOnlyTransaction(room.db, (trx) =>
      resolveWithin({ ...deps, db: trx }, { ids: some, to: 'FAILED', by: admin, ...failure }),
    );
  await fail(ids.slice(1));
  await fail(ids);
  const { rows } = await sql<{ messages: number; micros: bigint }>`
    select (details->>'messages')::int as messages, available_micros as micros from ledger_entries
    where account_id = ${accountId} and kind = 'REFUND' order by id`.execute(room.db);
  expect(rows).toEqual([
    { messages: 9, micros: 9n * PRICE_MICROS },
    { messages: 1, micros: PRICE_MICROS },
  ]);
});

it('a message for later, which is in no lane yet, is resolved too', async () => {
  const { accountId, id } = await setting();
  await sql`update messages set lane_id = null, scheduled_at = now() + interval '1 hour' where id = ${id}`.execute(
    room.db,
  );
  await sql`update outbox_chunks set lane_id = 0, due = now() + interval '1 hour'
    where ${id} = any(ids)`.execute(room.db);
  await sql`update outbox_chunks set due = (select scheduled_at from messages where id = ${id})
    where ${id} = any(ids)`.execute(room.db);
  await resolve(id, 'FAILED');
  expect(await room.read([id])).toMatchObject([{ status: 'FAILED', waits: false }]);
  expect(await room.balance(accountId)).toBe(START);
});

it('what a worker has in hand, what was cancelled and what is not there are refused', async () => {
  const { accountId, lane, ids, id } = await setting(2);
  const cancelled = ids[1] as MessageId;
  await cancelMessage(
    { db: room.db, queue: deps.queue },
    { sender: { accountId, test: false }, messageId: cancelled },
  );
  const holder = randomUUID();
  await room.takeLane(lane.id, holder);
  await claimMessages(room.db, { laneId: lane.id, holder, limit: 1 });
  for (const to of ['SUCCESS', 'FAILED'] as const) {
    await expect(resolve(id, to)).rejects.toMatchObject({ code: 'E_BEING_SENT' });
    await expect(resolve(cancelled, to)).rejects.toMatchObject({ code: 'E_MESSAGE_CANCELLED' });
    await expect(resolve(randomUUID() as MessageId, to)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  }
  expect(await statusOf(id)).toBe('PENDING');
  await room.dieOn(lane.id);
  const delivery = room.work([lane]);
  await expect.poll(async () => (await room.read([id]))[0]?.isClaimed, LIMIT).toBe(false);
  await delivery.stop(300);
});

it.each([
  ['SUCCESS', 0n],
  ['FAILED', PRICE_MICROS],
] as const)('one in doubt becomes %s; a later report moves no money', async (to, refunded) => {
  const { accountId, lane, id } = await setting();
  await loseAnswer(lane.id, id);
  await reconcile(room.db, { unknownMs: 0 });
  expect(await statusOf(id)).toBe('FAILED_WITH_EXCEPTION');
  await resolve(id, to);
  const balance = START - PRICE_MICROS + refunded;
  expect(await room.balance(accountId)).toBe(balance);
  // The carrier's receipt says the opposite, and names our own id.
  const state = to === 'SUCCESS' ? ('failed' as const) : ('delivered' as const);
  const receipt = { laneId: lane.id, providerMessageId: randomUUID(), state, at: new Date(), code: '' };
  await recordReceipts(room.db, { receipts: [{ ...receipt, messageId: id }] });
  await reconcile(room.db, { unknownMs: 0, settledMs: 0 });
  expect(await statusOf(id)).toBe(to);
  expect(await room.balance(accountId)).toBe(balance);
});

it('one in doubt whose id the carrier told is found by a later receipt, and refunded if it failed', async () => {
  const { accountId, lane, id } = await setting();
  const providerMessageId = randomUUID();
  await loseAnswer(lane.id, id);
  await sql`update messages set provider_message_id = ${providerMessageId} where id = ${id}`.execute(room.db);
  await reconcile(room.db, { unknownMs: 0 });
  for (const to of ['SUCCESS', 'FAILED', 'SUCCESS'] as const) await resolve(id, to);
  const { rows } = await sql`select from carrier_ids where message_id = ${id}`.execute(room.db);
  expect(rows).toHaveLength(1);
  const receipt = { laneId: lane.id, providerMessageId, state: 'failed' as const, at: new Date(), code: '' };
  await indexOnlyTransaction(room.db, (trx) => recordReceipts(trx, { receipts: [receipt] }));
  expect(await statusOf(id)).toBe('FAILED');
  expect(await room.balance(accountId)).toBe(START);
});

it('an unknown message that is put back while its time ends goes on waiting', async () => {
  const { id, lane } = await setting();
  await loseAnswer(lane.id, id);
  let ending: ReturnType<typeof reconcile> | undefined;
  await room.db.transaction().execute(async (trx) => {
    await sql`update messages set unknown_since = null, claimed_at = null where id = ${id}`.execute(trx);
    ending = reconcile(room.db, { unknownMs: 0 });
    await vi.waitFor(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(room.db);
      expect(rows).toHaveLength(1);
    }, LIMIT);
    await sql`select outbox_wait_again(array[id], array[created_at]) from messages where id = ${id}`.execute(
      trx,
    );
  });
  expect(await ending).toMatchObject({ unknown: 0 });
  expect(await room.read([id])).toMatchObject([{ status: 'PENDING', waits: true }]);
});

it('a message whose chunk is replaced at the same moment still waits, and is resolved', async () => {
  const { id } = await setting();
  let resolving: ReturnType<typeof resolve> | undefined;
  await room.db.transaction().execute(async (trx) => {
    await sql`delete from outbox_chunks where ${id} = any(ids)`.execute(trx);
    resolving = resolve(id, 'FAILED');
    await vi.waitFor(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(room.db);
      expect(rows).toHaveLength(1);
    }, LIMIT);
    await sql`select outbox_wait_again(array[id], array[created_at]) from messages where id = ${id}`.execute(
      trx,
    );
  });
  expect(await resolving).toMatchObject({ changed: true });
  expect(await room.read([id])).toMatchObject([{ status: 'FAILED', waits: false }]);
});

it('one whose chunk goes elsewhere at the same moment is looked for again without holding what others wait for', async () => {
  const accountId = await room.funded(10);
  const lanes = [];
  for (let at = 0; at < 4; at += 1) lanes.push(await room.addLane(() => scriptedCarrier().carrier));
  // In the order in which chunks are locked; the first of them moves to a lane before all others.
  const [before, ...rest] = lanes.toSorted((a, b) => a.id - b.id);
  const ids: MessageId[] = [];
  for (const lane of rest) ids.push(...(await room.accept({ accountId, lane, priority: 1 })));
  const [moving, middle, last] = ids as [MessageId, MessageId, MessageId];
  const waitForBlocked = (by: number | undefined, count: number) =>
    vi.waitFor(async () => {
      const { rows } = await sql`select from pg_stat_activity where datname = current_database()
        and cardinality(pg_blocking_pids(pid)) > 0
        and (${by ?? null}::int is null or ${by ?? null}::int = any(pg_blocking_pids(pid)))`.execute(room.db);
      expect(rows).toHaveLength(count);
    }, LIMIT);
  const lockChunkOf = (trx: Db, id: MessageId) =>
    sql`select from outbox_chunks where ${id} = any(ids) for update`.execute(trx);
  /** A transaction that stays open until it is told. */
  const hold = async (work: (trx: Db) => Promise<unknown>) => {
    const [begun, told] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
    const ended = room.db.transaction().execute(async (trx) => {
      await work(trx);
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      begun.resolve(rows[0]?.pid ?? 0);
      await told.promise;
    });
    ended.catch(begun.reject);
    const end = (): Promise<void> => {
      told.resolve();
      return ended;
    };
    return { pid: await begun.promise, end };
  };
  const move = await hold(async (trx) => {
    await sql`delete from outbox_chunks where ${moving} = any(ids)`.execute(trx);
    await sql`update messages set lane_id = ${before?.id ?? 0} where id = ${moving}`.execute(trx);
    await sql`select outbox_wait_again(array[id], array[created_at]) from messages where id = ${moving}`.execute(
      trx,
    );
  });
  const lock = await hold((trx) => lockChunkOf(trx, last));
  const resolving = indexOnlyTransaction(room.db, (trx) =>
    resolveWithin({ ...deps, db: trx }, { ids, to: 'FAILED', by: admin, ...failure }),
  );
  await waitForBlocked(move.pid, 1);
  await move.end();
  // It has the middle one then.
  await waitForBlocked(lock.pid, 1);
  const meeting = room.db.transaction().execute(async (trx) => {
    await lockChunkOf(trx, moving);
    await lockChunkOf(trx, middle);
  });
  await waitForBlocked(undefined, 2);
  await lock.end();
  await meeting;
  expect(await resolving).toMatchObject([
    { outcome: 'changed' },
    { outcome: 'changed' },
    { outcome: 'changed' },
  ]);
  expect(await room.read(ids)).toMatchObject(ids.map(() => ({ status: 'FAILED', waits: false })));
});

it('a refunded message that was sent after all is charged again, by an entry of its own kind', async () => {
  const { accountId, id } = await setting();
  await resolve(id, 'FAILED');
  expect(await room.balance(accountId)).toBe(START);
  await resolve(id, 'SUCCESS');
  await resolve(id, 'SUCCESS');
  expect(await room.balance(accountId)).toBe(START - PRICE_MICROS);
  await resolve(id, 'FAILED');
  await resolve(id, 'FAILED');
  expect(await room.balance(accountId)).toBe(START);
  expect(await movesOf(accountId, id)).toEqual(['REFUND', 'RECAPTURE', 'REFUND']);
});

it('without the money it stays failed', async () => {
  const { accountId, id } = await setting();
  await resolve(id, 'FAILED');
  await room.addMoney(accountId, -9.99);
  await expect(resolve(id, 'SUCCESS')).rejects.toMatchObject({ code: 'E_BALANCE_TOO_LOW' });
  expect(await statusOf(id)).toBe('FAILED');
  expect(await room.balance(accountId)).toBe(10_000n);
  expect(await movesOf(accountId, id)).toEqual(['REFUND']);
});

it('a failure that nobody vouched for is refunded when an admin confirms it', async () => {
  const { accountId, scripted, lane, id } = await setting();
  const delivery = room.work([lane]);
  await room.become([id], 'SUCCESS', 20_000);
  await scripted.script.events?.receipt({
    providerMessageId: `c-${id}`,
    state: 'failed',
    at: new Date(),
    code: '5.1.1',
    messageId: id,
    unproven: true,
  });
  expect(await statusOf(id)).toBe('FAILED');
  expect(await room.balance(accountId)).toBe(START - PRICE_MICROS);
  await resolve(id, 'SUCCESS');
  expect(await room.balance(accountId)).toBe(START - PRICE_MICROS);
  await resolve(id, 'FAILED');
  expect(await room.balance(accountId)).toBe(START);
  await delivery.stop(300);
});

it('while a worker sends, none is both sent and resolved, and none is lost', async () => {
  const { accountId, scripted, lane, ids } = await setting(3_000, 200);
  // Not so quick that nothing is left to resolve.
  scripted.script.answer = async ({ id }) => {
    await sleep(5);
    return { outcome: 'accepted', providerMessageId: `c-${id}` };
  };
  const delivery = room.work([lane]);
  await expect.poll(() => scripted.sent.length, LIMIT).toBeGreaterThan(100);
  const decided = new Set<MessageId>();
  // From the end, where they wait longest.
  for (const portion of Array.from({ length: 15 }, (_, at) =>
    ids
      .toSorted()
      .toReversed()
      .slice(at * 200, at * 200 + 200),
  ))
    for (const one of await indexOnlyTransaction(room.db, (trx) =>
      resolveWithin({ ...deps, db: trx }, { ids: portion, to: 'FAILED', by: admin, ...failure }),
    ))
      if (one.outcome === 'changed') decided.add(one.id);
  await expect.poll(async () => (await room.countByStatus(ids)).PENDING ?? 0, LIMIT).toBe(0);
  await delivery.stop(500);
  const sent = new Set(scripted.sent.map(({ id }) => id));
  expect(scripted.sent).toHaveLength(sent.size);
  // What was sent before it was resolved was refunded by decision; what waited was not sent.
  const { rows } = await sql<{ id: MessageId }>`
    select message_id as id from resolutions where was = 'PENDING' and message_id = any(${ids}::uuid[])`.execute(
    room.db,
  );
  const waited = rows.map(({ id }) => id);
  expect(waited.length).toBeGreaterThan(0);
  expect(waited.filter((id) => sent.has(id))).toEqual([]);
  const { FAILED: failed = 0, SUCCESS: success = 0 } = await room.countByStatus(ids);
  expect(failed).toBe(decided.size);
  expect(failed + success).toBe(3_000);
  expect(await room.balance(accountId)).toBe(200_000_000n - PRICE_MICROS * BigInt(success));
});

const step = fc.constantFrom(
  'SUCCESS',
  'FAILED',
  'failed receipt',
  'delivered receipt',
  'spend',
  'reconcile',
);

it('whatever follows whatever, a message is paid for exactly if it has not failed', async () => {
  const accountId = await room.funded(100);
  const lane = await room.addLane(() => scriptedCarrier().carrier);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), fc.boolean(), async (steps, poor) => {
      const before = await room.balance(accountId);
      const [id] = (await room.accept({ accountId, lane })) as [MessageId];
      const providerMessageId = randomUUID();
      const delivery = { laneId: lane.id, providerMessageId, at: new Date(), code: '' };
      await sql`insert into carrier_ids select lane_id, ${providerMessageId}, created_at, id from messages
        where id = ${id}`.execute(room.db);
      for (const next of steps) {
        if (next === 'SUCCESS' || next === 'FAILED')
          await resolve(id, next).catch((error) => expect(error.code).toBe('E_BALANCE_TOO_LOW'));
        // A receipt is for a message that a carrier has, and not for one that waits.
        else if (next.endsWith('receipt') && (await statusOf(id)) !== 'PENDING')
          await indexOnlyTransaction(room.db, (trx) =>
            recordReceipts(trx, {
              receipts: [{ ...delivery, state: next.startsWith('failed') ? 'failed' : 'delivered' }],
            }),
          );
        else if (next === 'reconcile') await reconcile(room.db, { unknownMs: 0, settledMs: 0 });
        else if (next === 'spend' && poor) {
          const rest = await room.balance(accountId);
          await room.addMoney(accountId, -Number(rest / 10_000n) / 100);
          await room.addMoney(accountId, Number(rest / 10_000n) / 100);
        }
        const paid = (await statusOf(id)) === 'FAILED' ? 0n : PRICE_MICROS;
        expect(await room.balance(accountId)).toBe(before - paid);
      }
      await resolve(id, 'FAILED');
    }),
    { numRuns: 12 },
  );
}, 120_000);
