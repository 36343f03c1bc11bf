import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, expect, test, vi } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { changeWaiting } from '../../../test/chunks.ts';
import { openTestDelivery, scriptedCarrier } from '../../../test/delivery.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { Lane } from '../../traffic/lanes/index.ts';
import { listNumberUsers, outboxTasks, type ReceivedInbound } from '../../traffic/outbox/index.ts';
import { findOptedOut } from './find-opted-out.ts';
import { CANCEL_WAITING } from './opt-out.ts';
import { readReplies } from './read-replies.ts';

const room = await openTestDelivery();
const { db } = room;
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});

const FROM = '+85261000000';
const jobs: { name: string; data: object; after: number }[] = [];
const queue = {
  send: async (name: string, data: object, { startAfterSeconds = 0 } = {}) => {
    jobs.push({ name, data, after: startAfterSeconds });
  },
};
const hear = (trx: Db, inbounds: ReceivedInbound[]) =>
  readReplies(
    { db: trx, queue, usersOf: (reply) => listNumberUsers(trx, reply) },
    inbounds.map((inbound) => ({ ...inbound, recipient: inbound.from })),
  );
const isOut = async (accountId: AccountId, recipient = FROM) =>
  (await findOptedOut(db, [{ accountId, channel: 'sms', recipient }])).has(0);

/** An account that has written to FROM on its own lane; `reply` is what FROM answers. */
const conversation = async (onInbound = hear) => {
  const { carrier, sent, script } = scriptedCarrier();
  const lane = await room.addLane(() => carrier);
  room.work([lane], {}, { onInbound });
  const accountId = await room.funded(1);
  await room.become(await room.accept({ accountId, lane, recipient: () => FROM }), 'SUCCESS');
  const reply = async (text: string, providerMessageId: string = randomUUID(), from = FROM) =>
    script.events?.inbound({ providerMessageId, from, to: '+85230000000', text, at: new Date() });
  return { accountId, lane, sent, script, reply };
};

test('STOP opts out for the account that wrote, START in again', async () => {
  const { accountId, reply } = await conversation();
  const other = await room.funded();
  await reply('Hello');
  expect(await isOut(accountId)).toBe(false);
  await reply('ｓｔｏｐ！');
  expect(await isOut(accountId)).toBe(true);
  expect(await isOut(other)).toBe(false);
  expect((await findOptedOut(db, [{ accountId, channel: 'whatsapp', recipient: FROM }])).size).toBe(0);
  await reply('開始');
  expect(await isOut(accountId)).toBe(false);
});

test('of several replies that are stored together the last counts, and a repeated one not at all', async () => {
  const { accountId, reply } = await conversation();
  await Promise.all([reply('STOP'), reply('START'), reply('退訂')]);
  expect(await isOut(accountId)).toBe(true);
  await Promise.all([reply('STOP'), reply('START', 'again')]);
  expect(await isOut(accountId)).toBe(false);
  await reply('STOP');
  await reply('START', 'again');
  expect(await isOut(accountId)).toBe(true);
});

test('a reply that belongs to nobody opts nobody out', async () => {
  const { accountId, reply } = await conversation();
  await reply('STOP', randomUUID(), '+85269999999');
  expect(await isOut(accountId, '+85269999999')).toBe(false);
});

test('a STOP that answers a message of the test secret changes nothing', async () => {
  const { accountId, reply } = await conversation();
  await sql`update messages set test = true, price_micros = 0 where account_id = ${accountId}`.execute(db);
  await reply('STOP');
  expect(await isOut(accountId)).toBe(false);
});

test('a STOP that can’t be carried out is not acknowledged, so that the carrier repeats it', async () => {
  let broken = true;
  const { accountId, reply } = await conversation(async (trx, inbounds) => {
    await hear(trx, inbounds);
    if (broken) throw new Error('broken');
  });
  await expect(reply('STOP', 'once')).rejects.toThrow('broken');
  expect(await isOut(accountId)).toBe(false);
  broken = false;
  await reply('STOP', 'once');
  expect(await isOut(accountId)).toBe(true);
});

const runCancel = async () => {
  const task = outboxTasks({ db, log: { info: () => {}, warn: () => {}, error: () => {} } })[CANCEL_WAITING];
  for (const { name, data } of jobs.splice(0)) {
    expect(name).toBe(CANCEL_WAITING);
    await task?.run(data, new AbortController().signal);
  }
};

test('what waits for somebody who opts out is cancelled and refunded, once; what others get is not', async () => {
  const { carrier } = scriptedCarrier();
  const idle: Lane = await room.addLane(() => carrier);
  const { accountId, reply } = await conversation();
  const neighbour = await room.funded(1);
  const before = await room.balance(accountId);
  const to = (recipient: string, whose = accountId) =>
    room.accept({ accountId: whose, lane: idle, count: 3, recipient: () => recipient });
  const waiting = await to(FROM);
  const others = [...(await to('+85261000001')), ...(await to(FROM, neighbour))];
  const later = await to(FROM);
  await changeWaiting(
    db,
    sql`lane_id = null, scheduled_at = now() + interval '1 day'`,
    sql`id = any(${later}::uuid[])`,
  );
  jobs.length = 0;
  await reply('STOP');
  expect(jobs.map(({ after }) => after)).toEqual([0, 90]);
  await runCancel();
  expect(await room.countByStatus([...waiting, ...later])).toEqual({ CANCELLED: 6 });
  expect(await room.countByStatus(others)).toEqual({ PENDING: 6 });
  expect((await room.read(waiting))[0]?.code).toBe('E_OPTED_OUT');
  expect(await room.balance(accountId)).toBe(before - 3n * 32_051n);
});

test('STOP while a lane is sending: each message is sent or cancelled, never both', async () => {
  const { lane, sent, script, reply } = await conversation();
  script.answer = async (message) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { outcome: 'accepted', providerMessageId: `c-${message.id}` };
  };
  sent.length = 0;
  const rich = await room.funded(20);
  const ids = await room.accept({ accountId: rich, lane, count: 300, recipient: () => FROM });
  await vi.waitFor(() => expect(sent.length).toBeGreaterThan(20));
  jobs.length = 0;
  await reply('STOP');
  await runCancel();
  await vi.waitFor(async () => expect((await room.countByStatus(ids)).PENDING).toBeUndefined());
  const counts = await room.countByStatus(ids);
  expect((counts.SUCCESS ?? 0) + (counts.CANCELLED ?? 0)).toBe(300);
  expect(sent.length).toBe(counts.SUCCESS);
  const cancelled = BigInt(counts.CANCELLED ?? 0);
  expect(await room.balance(rich)).toBe(20_000_000n - (300n - cancelled) * 32_051n);
});
