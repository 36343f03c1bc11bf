import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { openSend, type Send, type SendRequest } from './send.ts';
import { sendingTasks } from './tasks.ts';

const room = await openTestMessages();
const { db } = room;
let send: Send;
let otherProcess: Send;
beforeAll(async () => {
  await room.addLane({ name: 'sms', channel: 'sms' });
  send = (await room.open()).send;
  otherProcess = (await room.open()).send;
});
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});

const PRICE = 32_051n;
const keyed = (accountId: AccountId, key: string, message = 'hello'): SendRequest => ({
  sender: { accountId, test: false },
  channel: 'sms',
  wanted: { recipientRaw: '61112222', message },
  idempotencyKey: key,
});
const reused = { code: 'E_IDEMPOTENCY_KEY_REUSED' };

test('a repeat gets the first answer, also when more was sent meanwhile', async () => {
  const accountId = await room.funded(1);
  const first = await send(keyed(accountId, 'a'));
  await send(keyed(accountId, 'b'));
  expect(await send(keyed(accountId, 'a'))).toEqual(first);
  expect(await otherProcess(keyed(accountId, 'a'))).toEqual(first);
  expect(await room.messagesOf(accountId)).toHaveLength(2);
  expect(await room.balance(accountId)).toBe(1_000_000n - 2n * PRICE);
});

test('the same key for something else is refused', async () => {
  const accountId = await room.funded(1);
  await send(keyed(accountId, 'a'));
  await expect(send(keyed(accountId, 'a', 'another'))).rejects.toMatchObject(reused);
  const asTest = { ...keyed(accountId, 'a'), sender: { accountId, test: true } };
  await expect(send(asTest)).rejects.toMatchObject(reused);
  expect(await room.messagesOf(accountId)).toHaveLength(1);
});

test('two accounts may use the same key', async () => {
  const [one, other] = [await room.funded(1), await room.funded(1)];
  const answers = await Promise.all([send(keyed(one, 'same')), send(keyed(other, 'same'))]);
  expect(answers[0]?._id).not.toBe(answers[1]?._id);
});

test('of many repeats at once, in two processes, one is sent and all get its answer', async () => {
  const accountId = await room.funded(1);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) => (at % 2 ? send : otherProcess)(keyed(accountId, 'at-once'))),
  );
  expect(new Set(answers.map((answer) => JSON.stringify(answer, Object.keys(answer).sort()))).size).toBe(1);
  expect(await room.messagesOf(accountId)).toHaveLength(1);
  expect(await room.balance(accountId)).toBe(1_000_000n - PRICE);
});

test('of two different ones at once with one key, one is refused', async () => {
  const accountId = await room.funded(1);
  const before = send(keyed(accountId, 'before'));
  const outcomes = await Promise.allSettled([
    send(keyed(accountId, 'x', 'one')),
    send(keyed(accountId, 'x', 'two')),
    otherProcess(keyed(accountId, 'x', 'three')),
  ]);
  await before;
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
    { reason: reused },
    { reason: reused },
  ]);
});

test('many keys at once in two processes, in opposite orders, never lock each other out', async () => {
  const accountId = await room.funded(10);
  const keys = Array.from({ length: 60 }, (_, at) => `key-${at}`);
  await Promise.all([
    ...keys.map((key) => send(keyed(accountId, key))),
    ...keys.toReversed().map((key) => otherProcess(keyed(accountId, key))),
  ]);
  expect(await room.messagesOf(accountId)).toHaveLength(60);
});

test('a refused call leaves no key: after a top-up the same call goes through', async () => {
  const accountId = await room.funded();
  await expect(send(keyed(accountId, 'poor'))).rejects.toMatchObject({ code: 'E_BALANCE_TOO_LOW' });
  await room.addMoney(accountId, 1);
  expect(await send(keyed(accountId, 'poor'))).toMatchObject({ status: 'PENDING' });
});

test('a repeat is answered even when the message could no longer be accepted', async () => {
  const accountId = await room.funded(1);
  const first = await send(keyed(accountId, 'gone'));
  await sql`update lanes set mode = 'removed'`.execute(db);
  try {
    const later = (await room.open()).send;
    await expect(later(keyed(accountId, 'new'))).rejects.toMatchObject({ code: 'E_NO_LANE' });
    expect(await later(keyed(accountId, 'gone'))).toEqual(first);
    await expect(later(keyed(accountId, 'gone', 'else'))).rejects.toMatchObject(reused);
  } finally {
    await sql`update lanes set mode = 'on'`.execute(db);
  }
});

test('keys are forgotten after 30 days', async () => {
  const accountId = await room.funded(1);
  const first = await send(keyed(accountId, 'old'));
  await sql`update idempotency_keys set created_at = now() - interval '31 days'
    where account_id = ${accountId}`.execute(db);
  await sendingTasks(await room.open())['sending.remove-old-keys']?.run({}, new AbortController().signal);
  expect((await send(keyed(accountId, 'old')))._id).not.toBe(first._id);
});

test('half a character in a reference or an address spoils nobody else’s call of the same moment', async () => {
  const [one, other] = [await room.funded(1), await room.funded(1)];
  const odd = keyed(one, 'odd');
  const [answer, clean] = await Promise.all([
    send({ ...odd, wanted: { ...odd.wanted, identifier: 'a\ud800\0b' } }),
    send(keyed(other, 'clean')),
  ]);
  expect(answer).toMatchObject({ status: 'PENDING', identifier: 'a\ufffdb' });
  expect(clean).toMatchObject({ status: 'PENDING' });
  expect(await send({ ...odd, wanted: { ...odd.wanted, identifier: 'a\ud800\0b' } })).toEqual(answer);
});

test('a repeat gets the first answer, although the recipient has opted out or the balance is used up since', async () => {
  const accountId = await room.funded(0.04);
  const first = await send(keyed(accountId, 'a'));
  expect(await otherProcess(keyed(accountId, 'a'))).toEqual(first);
  await sql`insert into opt_outs (account_id, channel, recipient, source, note)
    values (${accountId}, 'sms', '+85261112222', 'MANUAL', '')`.execute(db);
  expect(await send(keyed(accountId, 'a'))).toEqual(first);
  await expect(send(keyed(accountId, 'b'))).rejects.toMatchObject({ code: 'E_OPTED_OUT' });
  expect(await send(keyed(accountId, 'a'))).toEqual(first);
});

test('a fault of one account’s transaction is not told to those who were accepted beside it', async () => {
  const [plain, low] = [await room.funded(100), await room.funded(5.01)];
  const deps = await room.open();
  const broken = openSend({
    ...deps,
    // The mail about the low balance can't be enqueued.
    queue: {
      send: async () => {
        throw new Error('no queue');
      },
    },
  });
  const [accepted, failed] = await Promise.allSettled([
    broken(keyed(plain, 'plain')),
    broken(keyed(low, 'low')),
  ]);
  expect(accepted).toMatchObject({ status: 'fulfilled' });
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'no queue' } });
  expect(await room.messagesOf(low)).toEqual([]);
  expect(await room.balance(low)).toBe(5_010_000n);
});
