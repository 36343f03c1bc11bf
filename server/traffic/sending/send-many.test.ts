import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Body } from '../../../contract/calls.ts';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { openTestMessages } from '../../../test/messages.ts';
import type { SendingRouteDeps } from './routes.ts';
import { type SendManyRequest, sendMany } from './send-many.ts';

const room = await openTestMessages();
const { db } = room;
const PRICE = 32_051n;
let deps: SendingRouteDeps;
let otherProcess: SendingRouteDeps;
beforeAll(async () => {
  await room.addLane({ name: 'sms', channel: 'sms' });
  await room.addLane({ name: 'sms-simulator', channel: 'sms', simulated: true, preference: 1 });
  deps = await room.open();
  otherProcess = await room.open();
});
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});

type Wanted = Body<'POST /:channel/sendMany'>['messages'][number];
const message = (phone: string, over: Partial<Wanted> = {}): Wanted => ({ phone, message: 'hello', ...over });
const asked = (accountId: AccountId, messages: Wanted[], over: Partial<SendManyRequest> = {}) => ({
  sender: { accountId, test: false },
  channel: 'sms' as const,
  body: { messages, allOrNothing: false },
  idempotencyKey: undefined,
  language: 'en_US' as const,
  ...over,
});
const numbers = (count: number) => Array.from({ length: count }, (_, at) => message(`6${1_000_000 + at}`));

test('each message is answered by its place, and all that are accepted are one batch and one entry', async () => {
  const accountId = await room.funded(10);
  const answer = await sendMany(
    deps,
    asked(accountId, [
      message('61112222', { identifier: 'order-1' }),
      message('12', { identifier: 'order-2' }),
      message('61113333', { message: 'a'.repeat(161) }),
      message('61114444', { message: '' }),
    ]),
  );
  expect(answer).toEqual({
    batchId: expect.any(String),
    accepted: 2,
    refused: 2,
    price: 0.096153,
    currency: 'USD',
    balance: 9.903847,
    test: false,
    messages: [
      {
        accepted: true,
        _id: expect.any(String),
        phone: '+85261112222',
        segments: 1,
        price: 0.032051,
        identifier: 'order-1',
      },
      {
        accepted: false,
        code: 'E_PHONE_INVALID',
        reason: expect.stringContaining('12'),
        identifier: 'order-2',
      },
      { accepted: true, _id: expect.any(String), phone: '+85261113333', segments: 2, price: 0.064102 },
      { accepted: false, code: 'E_MESSAGE_EMPTY', reason: expect.any(String) },
    ],
  });
  const ids = answer.messages.flatMap((one) => (one.accepted ? [one._id] : []));
  const rows = await room.messagesOf(accountId);
  expect(rows.map(({ id }) => id)).toEqual(ids);
  expect(new Set(rows.map(({ batch_id }) => batch_id))).toEqual(new Set([answer.batchId]));
  const { rows: entries } = await sql`select -available_micros as taken from ledger_entries
    where account_id = ${accountId} and kind = 'CAPTURE'`.execute(db);
  expect(entries).toEqual([{ taken: 3n * PRICE }]);
});

test('all or nothing: one refused message keeps the others, and costs nothing', async () => {
  const accountId = await room.funded(10);
  const body = { messages: [message('61112222'), message('12')], allOrNothing: true };
  expect(await sendMany(deps, asked(accountId, [], { body }))).toMatchObject({
    batchId: null,
    accepted: 0,
    refused: 2,
    price: 0,
    balance: 10,
    messages: [
      { accepted: false, code: 'E_OTHERS_REFUSED' },
      { accepted: false, code: 'E_PHONE_INVALID' },
    ],
  });
  expect(await room.messagesOf(accountId)).toEqual([]);
});

test('a balance that covers a part: the first that it covers, or none if all were asked for', async () => {
  const accountId = await room.funded(0.1);
  const whole = { messages: numbers(4), allOrNothing: true };
  expect(await sendMany(deps, asked(accountId, [], { body: whole }))).toMatchObject({
    accepted: 0,
    messages: Array.from({ length: 4 }, () => ({ accepted: false, code: 'E_BALANCE_TOO_LOW' })),
  });
  const part = await sendMany(deps, asked(accountId, numbers(4)));
  expect(part.messages.map(({ accepted }) => accepted)).toEqual([true, true, true, false]);
  expect(await room.balance(accountId)).toBe(100_000n - 3n * PRICE);
});

test('who has opted out is refused alone, also if that was not known here', async () => {
  const accountId = await room.funded(10);
  await sql`insert into opt_outs (account_id, channel, recipient, source, note)
    values (${accountId}, 'sms', '+85261112222', 'MANUAL', '')`.execute(db);
  expect(await sendMany(deps, asked(accountId, [message('61112222'), message('61113333')]))).toMatchObject({
    messages: [{ code: 'E_OPTED_OUT' }, { accepted: true }],
  });
  expect(await room.messagesOf(accountId)).toHaveLength(1);
});

test('a repeat with the key gets the first answer, in any process and at the same moment', async () => {
  const accountId = await room.funded(10);
  const request = asked(accountId, numbers(5), { idempotencyKey: 'all' });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => sendMany(at % 2 ? deps : otherProcess, request)),
  );
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(await room.messagesOf(accountId)).toHaveLength(5);
  await expect(sendMany(deps, asked(accountId, numbers(4), { idempotencyKey: 'all' }))).rejects.toMatchObject(
    { code: 'E_IDEMPOTENCY_KEY_REUSED' },
  );
  const single = { sender: request.sender, channel: 'sms' as const, idempotencyKey: 'all' };
  await expect(
    deps.send({ ...single, wanted: { recipientRaw: '61112222', message: 'x' } }),
  ).rejects.toMatchObject({ code: 'E_IDEMPOTENCY_KEY_REUSED' });
});

test('a call of which nothing was accepted leaves no key', async () => {
  const accountId = await room.funded();
  const request = asked(accountId, numbers(2), { idempotencyKey: 'poor' });
  expect(await sendMany(deps, request)).toMatchObject({ accepted: 0 });
  await room.addMoney(accountId, 1);
  expect(await sendMany(deps, request)).toMatchObject({ accepted: 2 });
});

test('scheduled ones wait for their time; with the test secret they are free', async () => {
  const accountId = await room.funded(1);
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const body = { messages: numbers(3), allOrNothing: false, sendAt };
  const answer = await sendMany(deps, asked(accountId, [], { body, sender: { accountId, test: true } }));
  expect(answer).toMatchObject({ accepted: 3, price: 0, balance: 1, test: true, sendAt });
  const rows = await room.messagesOf(accountId);
  expect(rows.map(({ lane_id, price_micros }) => [lane_id, price_micros])).toEqual(
    Array.from({ length: 3 }, () => [null, 0n]),
  );
});
