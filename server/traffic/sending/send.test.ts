import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { quote } from './quote.ts';
import type { SendingRouteDeps } from './routes.ts';
import type { Send, SendRequest } from './send.ts';

const room = await openTestMessages();
const { db } = room;
let deps: SendingRouteDeps;
let send: Send;
let smsLane: number;
beforeAll(async () => {
  smsLane = await room.addLane({ name: 'sms', channel: 'sms' });
  await room.addLane({ name: 'sms-simulator', channel: 'sms', simulated: true, preference: 1 });
  await room.addLane({ name: 'email', channel: 'email' });
  await room.addLane({ name: 'whatsapp', channel: 'whatsapp' });
  // It shares its calling code with the United States.
  await sql`insert into prices (channel, country, unit_micros) values ('sms', 'CA', ${PRICE})`.execute(db);
  deps = await room.open();
  send = deps.send;
});
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});

const PRICE = 32_051n;

const sms = (accountId: AccountId, over: Partial<SendRequest['wanted']> = {}): SendRequest => ({
  sender: { accountId, test: false },
  channel: 'sms',
  wanted: { recipientRaw: '6111 2222', message: 'hello', ...over },
  idempotencyKey: undefined,
});

const captures = async (accountId: AccountId) => {
  const { rows } = await sql<{ taken: bigint; details: object }>`
    select -available_micros as taken, details from ledger_entries
    where account_id = ${accountId} and kind = 'CAPTURE' order by id`.execute(db);
  return rows;
};

test('a message is stored, paid and its lane woken; the answer tells what it cost and what is left', async () => {
  const accountId = await room.funded(10);
  await room.give(accountId, 'sms', '+85290001111');
  room.woken.length = 0;
  const answer = await send(sms(accountId, { fromPhone: '+85290001111' }));
  expect(answer).toEqual({
    _id: expect.any(String),
    batchId: expect.any(String),
    status: 'PENDING',
    phone: '+85261112222',
    segments: 1,
    price: 0.032051,
    currency: 'USD',
    balance: 9.967949,
    test: false,
  });
  expect(await room.messagesOf(accountId)).toMatchObject([
    {
      id: answer._id,
      batch_id: answer.batchId,
      lane_id: smsLane,
      status: 'PENDING',
      recipient_raw: '6111 2222',
      recipient: '+85261112222',
      country: 'HK',
      sender: '+85290001111',
      message: 'hello',
      segment: 1,
      price_micros: PRICE,
      test: false,
      priority: 0,
    },
  ]);
  expect(room.woken).toEqual([[smsLane]]);
  expect(await room.balance(accountId)).toBe(10_000_000n - PRICE);
  expect(await captures(accountId)).toEqual([{ taken: PRICE, details: { channel: 'sms', messages: 1 } }]);
});

test('what was quoted is what is charged, segment by segment', async () => {
  const accountId = await room.funded(10);
  for (const message of [
    'a'.repeat(160),
    'a'.repeat(161),
    '字'.repeat(71),
    '€'.repeat(81),
    '😀'.repeat(100),
  ]) {
    const wanted = { phone: '61112222', message };
    const sender = { accountId, test: false };
    const quoted = await quote(deps, { sender, channel: 'sms', wanted });
    const sent = await send(sms(accountId, wanted));
    expect(sent).toMatchObject({
      price: quoted.price,
      segments: quoted.segments,
      balance: quoted.balanceAfter,
    });
  }
});

test('a quote without a recipient is for the country, and tells when the balance does not suffice', async () => {
  const accountId = await room.funded();
  const sender = { accountId, test: false };
  expect(await quote(deps, { sender, channel: 'sms', wanted: { message: '字'.repeat(71) } })).toEqual({
    phone: '',
    segments: 2,
    encoding: 'UCS2',
    unitPrice: 0.032051,
    price: 0.064102,
    balanceAfter: -0.064102,
    test: false,
  });
});

test('an email keeps its subject and HTML; a line break can’t begin another header', async () => {
  const accountId = await room.funded(1);
  const answer = await send({
    ...sms(accountId),
    channel: 'email',
    wanted: {
      recipientRaw: ' Jo.Doe@EXAMPLE.com ',
      message: 'text',
      subject: 'Hello\r\nBcc: all@example.com',
      html: '<p>text</p>',
    },
  });
  expect(answer).toMatchObject({ phone: 'Jo.Doe@example.com', segments: 1, price: 0.001 });
  expect(await room.messagesOf(accountId)).toMatchObject([
    { subject: 'Hello Bcc: all@example.com', html: '<p>text</p>', country: '' },
  ]);
});

test.each([
  ['no recipient', { recipientRaw: ' ' }, 'E_RECIPIENT_EMPTY'],
  ['a short number', { recipientRaw: '6111' }, 'E_PHONE_INVALID'],
  ['letters', { recipientRaw: 'six one one' }, 'E_PHONE_INVALID'],
  ['an extension', { recipientRaw: '6111 2222 ext 5' }, 'E_PHONE_INVALID'],
  ['a country that is none', { countryCode: 'XX' }, 'E_COUNTRY_INVALID'],
  ['no text', { message: ' \n' }, 'E_MESSAGE_EMPTY'],
  ['too many segments', { message: '字'.repeat(67 * 255 + 1) }, 'E_TOO_MANY_SEGMENTS'],
  ['a NUL', { message: 'a\0b' }, 'E_MESSAGE_UNSENDABLE'],
  ['a subject', { subject: 'x' }, 'E_EMAIL_ONLY'],
])('an SMS with %s is refused and costs nothing', async (_, over, code) => {
  const accountId = await room.funded(1);
  await expect(send(sms(accountId, over))).rejects.toMatchObject({ code });
  expect(await room.balance(accountId)).toBe(1_000_000n);
  expect(await room.messagesOf(accountId)).toEqual([]);
});

test.each([
  ['61112222', undefined, '+85261112222', 'HK'],
  ['+852 6111 2222', undefined, '+85261112222', 'HK'],
  ['852-6111-2222', undefined, '+85261112222', 'HK'],
  ['６１１１２２２２', undefined, '+85261112222', 'HK'],
  ['9123 4567', '+65', '+6591234567', 'SG'],
  ['138 1234 5678', 'cn', '+8613812345678', 'CN'],
  ['+1 202 555 0123', '+852', '+12025550123', 'US'],
  ['416 555 0100', '1', '+14165550100', 'CA'],
])('the number %j with the country %j is %s', async (phone, countryCode, recipient, country) => {
  const accountId = await room.funded(1);
  await send(sms(accountId, { recipientRaw: phone, countryCode }));
  expect(await room.messagesOf(accountId)).toMatchObject([{ recipient, country, recipient_raw: phone }]);
});

test('without money nothing is accepted, and nothing is left behind', async () => {
  const accountId = await room.funded();
  await expect(send(sms(accountId))).rejects.toMatchObject({ code: 'E_BALANCE_TOO_LOW' });
  const { rows } = await sql<{ count: bigint }>`
    select count(*) from batches where account_id = ${accountId}`.execute(db);
  expect(rows).toEqual([{ count: 0n }]);
});

test('a whole flush of one account is one batch, paid by one entry', async () => {
  const accountId = await room.funded(10);
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(sms(accountId))));
  const taken = await captures(accountId);
  expect(taken.length).toBeLessThanOrEqual(3);
  expect(taken.reduce((sum, entry) => sum + entry.taken, 0n)).toBe(50n * PRICE);
  expect(new Set(answers.map(({ _id }) => _id)).size).toBe(50);
  expect(new Set(answers.map(({ batchId }) => batchId)).size).toBe(taken.length);
  expect((await room.messagesOf(accountId)).map(({ id }) => id)).toEqual(answers.map(({ _id }) => _id));
});

test('a balance that suffices for half of what 32 clients send at once: exactly that half is accepted', async () => {
  const accountId = await room.funded(16 * 10);
  // Two programs on one database, and another account that is served meanwhile.
  const other = await room.funded(10);
  const sends = [send, (await room.open()).send];
  const each = 1_000_000n;
  await sql`update prices set unit_micros = ${each} where channel = 'whatsapp' and country = 'HK'`.execute(
    db,
  );
  const fresh = [(await room.open()).send, (await room.open()).send];
  const clients = Array.from({ length: 32 }, async (_, client) => {
    const outcomes: string[] = [];
    for (let count = 0; count < 10; count++) {
      const one = fresh[client % 2] ?? send;
      outcomes.push(
        await one({ ...sms(accountId), channel: 'whatsapp' }).then(
          () => 'accepted',
          (error) => error.code,
        ),
      );
      if (count === 0) await (sends[client % 2] ?? send)(sms(other));
    }
    return outcomes;
  });
  const outcomes = (await Promise.all(clients)).flat();
  expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(160);
  expect(outcomes.filter((outcome) => outcome === 'E_BALANCE_TOO_LOW')).toHaveLength(160);
  expect(await room.balance(accountId)).toBe(0n);
  expect(await room.messagesOf(accountId)).toHaveLength(160);
  expect(await room.balance(other)).toBe(10_000_000n - 32n * PRICE);
  expect(await room.differing()).toEqual([]);
});

test('a message too dear for what is left does not keep a cheaper one from going', async () => {
  const accountId = await room.funded(1);
  const segments = (count: number) => sms(accountId, { message: 'a'.repeat(153 * count) });
  // 31 segments are covered by a dollar.
  const wanted = [30, 5, 1, 1].map((count) => segments(count));
  const first = send(sms(await room.funded(1)));
  const outcomes = await Promise.allSettled(wanted.map(send));
  await first;
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  expect(await room.balance(accountId)).toBe(1_000_000n - 31n * PRICE);
});

test('many accounts in one flush are each charged their own', async () => {
  const accounts = await Promise.all(Array.from({ length: 12 }, () => room.funded(1)));
  await Promise.all(accounts.flatMap((accountId) => [send(sms(accountId)), send(sms(accountId))]));
  for (const accountId of accounts) expect(await room.balance(accountId)).toBe(1_000_000n - 2n * PRICE);
});

test('who sends beside an account whose wallet is locked does not wait for it', async () => {
  const [locked, free] = [await room.funded(10), await room.funded(10)];
  const held = await db.startTransaction().execute();
  await sql`select from wallets where account_id = ${locked} for no key update`.execute(held);
  let isAnswered = false;
  const waiting = Promise.all([send(sms(locked)), send(sms(locked))]).finally(() => {
    isAnswered = true;
  });
  for (let at = 0; at < 3; at += 1) await Promise.all([send(sms(free)), send(sms(free))]);
  await send(sms(free, { sendAt: new Date(Date.now() + 3_600_000).toISOString() }));
  expect(isAnswered).toBe(false);
  await held.rollback().execute();
  expect(await waiting).toHaveLength(2);
  expect(await room.balance(locked)).toBe(10_000_000n - 2n * PRICE);
  expect(await room.balance(free)).toBe(10_000_000n - 7n * PRICE);
});

test('with the test secret nothing is charged, and it goes through the simulator', async () => {
  const accountId = await room.funded();
  const answer = await send({ ...sms(accountId), sender: { accountId, test: true } });
  expect(answer).toMatchObject({ price: 0, balance: 0, test: true });
  expect(await captures(accountId)).toEqual([]);
  const [message] = await room.messagesOf(accountId);
  expect(message).toMatchObject({ test: true, price_micros: 0n });
  expect(message?.lane_id).not.toBe(smsLane);
});

test('test and real messages of one flush are kept apart', async () => {
  const accountId = await room.funded(1);
  await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      send({ ...sms(accountId), sender: { accountId, test: at % 2 === 0 } }),
    ),
  );
  expect(await room.balance(accountId)).toBe(1_000_000n - 10n * PRICE);
});
