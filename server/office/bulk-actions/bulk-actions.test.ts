import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Body, Reply } from '../../../contract/calls.ts';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { BulkActionId } from '../../../contract/office/bulk-actions.ts';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import {
  openTestDelivery,
  PRICE_MICROS,
  scriptedCarrier,
  type TestDelivery,
} from '../../../test/delivery.ts';
import { openQueue, type Queue } from '../../ground/queue/index.ts';
import { publishNothing } from '../../traffic/outbox/testing/index.ts';
import type { BulkActionsDeps } from './bulk-actions-deps.ts';
import { adminBulkActionRoutes } from './routes.ts';
import { runAction } from './run-action.ts';
import { bulkActionTasks } from './tasks.ts';

let room: TestDelivery;
let queue: Queue;
let deps: BulkActionsDeps;
let admin: AccountId;
/** `npm run prove -- office` does it with ten thousand, through a kill. */
const COUNT = 1_000;
beforeAll(async () => {
  room = await openTestDelivery();
  queue = await openQueue({ url: room.url, worker: false, onError: () => {} });
  deps = { db: room.db, queue, publish: publishNothing };
  await queue.declare(bulkActionTasks(deps));
  admin = await room.funded();
});
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  expect(await room.differing()).toEqual([]);
  await queue.stop(1_000);
  await room.close();
});

type Name = keyof ReturnType<typeof adminBulkActionRoutes>;
const call = async <N extends Name>(name: N, input: object): Promise<Reply<N>> =>
  (adminBulkActionRoutes(deps)[name] as (input: object) => Promise<Reply<N>>)({
    caller: { accountId: admin, admin: true, sessionHash: Buffer.alloc(0) },
    language: 'en_US',
    changed: () => {},
    ...input,
  });
const failure = { reason: 'invalid contact', errorCode: 'E_INVALID_CONTACT' };
const begin = async (body: Partial<Body<'POST /admin/bulkActions'>>, by = admin) =>
  (
    await call('POST /admin/bulkActions', {
      body: { ...failure, ...body },
      caller: { accountId: by, admin: true, sessionHash: Buffer.alloc(0) },
    })
  ).action._id as BulkActionId;
const progress = async (actionId: BulkActionId) =>
  (await call('GET /admin/bulkActions/:actionId', { params: { actionId } })).action;
const results = async (actionId: BulkActionId, query: object = {}, language = 'en_US') =>
  call('GET /admin/bulkActions/:actionId/results', {
    params: { actionId },
    query: { after: 0, limit: 100, ...query },
    language,
  });
/** As a worker's task would, here. */
const run = (actionId: BulkActionId, signal = new AbortController().signal) =>
  runAction(deps, actionId, signal);
const setting = async (count: number, dollars = 10) => {
  const accountId = await room.funded(dollars);
  const lane = await room.addLane(() => scriptedCarrier().carrier);
  const ids = await room.accept({ accountId, lane, count, priority: 1 });
  return { accountId, lane, ids };
};

it('every message of a call gets its own result, a refused one is named and the rest go through', async () => {
  const { accountId, ids } = await setting(3);
  const missing = randomUUID() as MessageId;
  const actionId = await begin({ action: 'FAILED', ids: [...ids, missing, ...ids] });
  expect(await progress(actionId)).toMatchObject({ state: 'RUNNING', total: 4, changed: 0, own: true });
  await run(actionId);
  expect(await progress(actionId)).toMatchObject({
    state: 'DONE',
    total: 4,
    changed: 3,
    refused: 1,
    unchanged: 0,
  });
  expect((await results(actionId)).results.map(({ outcome }) => outcome)).toEqual([
    'changed',
    'changed',
    'changed',
    'refused',
  ]);
  const { results: refused } = await results(actionId, { outcome: 'refused' });
  expect(refused).toMatchObject([{ _id: missing, place: 4, reason: 'Not found.' }]);
  expect(await room.balance(accountId)).toBe(10_000_000n);
});

it('a search acts on all that match it, also those that are changed out of it on the way', async () => {
  const { accountId, ids } = await setting(450, 50);
  const actionId = await begin({ action: 'SUCCESS', search: { accountId, status: 'PENDING' } as never });
  await run(actionId);
  expect(await progress(actionId)).toMatchObject({ state: 'DONE', total: 450, changed: 450 });
  expect(await room.countByStatus(ids)).toEqual({ SUCCESS: 450 });
});

it('a search that nobody could answer is refused before anything begins', async () => {
  const before = (await call('GET /admin/bulkActions', {})).actions.length;
  await expect(begin({ action: 'FAILED', search: { provider: 'a\0b' } as never })).rejects.toThrow();
  expect((await call('GET /admin/bulkActions', {})).actions).toHaveLength(before);
});

it('many are transferred to the lane that was asked for, with the reason of each that is not', async () => {
  const { ids, lane } = await setting(2);
  const target = await room.addLane(() => scriptedCarrier().carrier);
  const [first] = ids as [MessageId];
  const actionId = await begin({ action: 'TRANSFER', ids: [first], laneId: target.id });
  await run(actionId);
  expect((await room.read([first]))[0]?.laneId).toBe(target.id);
  const again = await begin({ action: 'TRANSFER', ids, laneId: target.id });
  await run(again);
  expect(await progress(again)).toMatchObject({ changed: 1, refused: 1 });
  expect((await results(again, { outcome: 'refused' })).results[0]).toMatchObject({
    _id: first,
    reason: 'It waits in that lane already.',
  });
  expect(lane.id).not.toBe(target.id);
});

it('the reasons of a result are in the language of whoever reads it', async () => {
  const { ids } = await setting(1);
  const missing = randomUUID() as MessageId;
  const target = await room.addLane(() => scriptedCarrier().carrier);
  await sql`update lanes set countries = '{SG}' where id = ${target.id}`.execute(room.db);
  const transferred = await begin({ action: 'TRANSFER', ids: [...ids, missing], laneId: target.id });
  const failed = await begin({ action: 'FAILED', ids: [missing] });
  for (const actionId of [transferred, failed]) await run(actionId);
  const reasons = async (actionId: BulkActionId, language: string) =>
    (await results(actionId, {}, language)).results.map(({ reason }) => reason);
  expect(await reasons(transferred, 'zh_HK')).toEqual([
    '此線路只服務 SG，不包括不屬任何國家或地區的號碼。',
    '訊息並非在線路中等候。',
  ]);
  expect(await reasons(transferred, 'en_US')).toEqual([
    'It serves SG, not numbers without a country.',
    'It does not wait in a lane.',
  ]);
  expect(await reasons(failed, 'zh_HK')).toEqual(['找不到。']);
});

it('it can be stopped, and the rest stays as it is', async () => {
  const { ids } = await setting(5);
  const actionId = await begin({ action: 'FAILED', ids });
  await call('POST /admin/bulkActions/:actionId/stop', { params: { actionId } });
  await run(actionId);
  expect(await progress(actionId)).toMatchObject({ state: 'STOPPED', changed: 0 });
  expect(await room.countByStatus(ids)).toEqual({ PENDING: 5 });
  expect((await call('GET /admin/bulkActions', {})).actions[0]).toMatchObject({
    _id: actionId,
    state: 'STOPPED',
  });
});

it('two admins who decide the opposite at the same moment end in one state, each refund at most once', async () => {
  const { accountId, ids } = await setting(COUNT, 50);
  const colleague = await room.funded();
  const one = await begin({ action: 'FAILED', search: { accountId } as never });
  const other = await begin({ action: 'SUCCESS', ids: ids.toReversed() }, colleague);
  await Promise.all([run(one), run(other)]);
  expect(await Promise.all([progress(one), progress(other)])).toMatchObject([
    { state: 'DONE', total: COUNT, refused: 0, own: true },
    { state: 'DONE', total: COUNT, refused: 0, own: false },
  ]);
  const { SUCCESS: success = 0, FAILED: failed = 0 } = await room.countByStatus(ids);
  expect(success + failed).toBe(COUNT);
  expect(await room.balance(accountId)).toBe(50_000_000n - PRICE_MICROS * BigInt(success));
  // Of each message, its refunds and the charges that took them back: one refund more if it failed, none if not.
  const { rows } = await sql`
    select m.id from messages m cross join lateral (
      select count(*) as times, array_agg(refunded_as) as names from ledger_recaptures
      where account_id = m.account_id and item = 'message:' || m.id
    ) again cross join lateral (
      select count(*) as times from ledger_refunds
      where account_id = m.account_id and item = any(array['message:' || m.id] || again.names)
    ) back
    where m.account_id = ${accountId}
      and back.times - again.times <> case m.status when 'FAILED' then 1 else 0 end`.execute(room.db);
  expect(rows).toEqual([]);
}, 180_000);

it('half a character in a reason is no fault', async () => {
  const actionId = await begin({
    action: 'FAILED',
    ids: [randomUUID() as MessageId],
    reason: 'x\udfffy',
    errorCode: 'a\0b',
  });
  expect(await progress(actionId)).toMatchObject({ total: 1 });
});
