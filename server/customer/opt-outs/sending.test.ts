import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { openTestLists } from '../../../test/list-app.ts';
import { unsubscribe } from './unsubscribe.ts';

const room = await openTestLists();
const { ask, inject, upload, customer } = room;
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  expect(await room.close()).toEqual([]);
});

const PRICE_MICROS = 32_051n;
const OUT = '+85261110000';
const optOut = (accountId: AccountId, recipient = OUT) =>
  unsubscribe(room.optOuts, { accountId, channel: 'sms', recipient });

test('a message to somebody who opted out is refused and costs nothing; by another channel it is sent', async () => {
  const { accountId, secret: bearer, testSecret } = await customer();
  await optOut(accountId);
  const before = await room.balance(accountId);
  const body = { phone: '6111 0000', message: 'hello' };
  expect(await ask('POST /sms/send', { bearer, body })).toMatchObject({
    http: 400,
    code: 'E_OPTED_OUT',
    message: expect.stringContaining('opted out'),
  });
  expect((await ask('POST /sms/send', { bearer, body, language: 'zh-HK' })).message).toContain('已退訂');
  expect(await ask('POST /sms/send', { bearer: testSecret, body })).toMatchObject({ http: 400 });
  expect(await room.balance(accountId)).toBe(before);
  expect(await room.messagesOf(accountId)).toEqual([]);
  expect(await ask('POST /whatsapp/send', { bearer, body })).toMatchObject({ http: 200 });
  const other = await customer();
  expect(await ask('POST /sms/send', { bearer: other.secret, body })).toMatchObject({ http: 200 });
});

test('without money too, the refusal names the opt-out first', async () => {
  const { accountId, secret: bearer } = await customer();
  await room.addMoney(accountId, -1);
  const body = { phone: '6111 0000', message: 'hello' };
  expect(await ask('POST /sms/send', { bearer, body })).toMatchObject({ code: 'E_BALANCE_TOO_LOW' });
  await optOut(accountId);
  expect(await ask('POST /sms/send', { bearer, body })).toMatchObject({ code: 'E_OPTED_OUT' });
});

test('an email address is the same in small and capital letters', async () => {
  const { accountId, secret: bearer } = await customer();
  await unsubscribe(room.optOuts, { accountId, channel: 'email', recipient: 'Ann@example.com' });
  const body = { phone: 'aNN@EXAMPLE.com', message: 'hello' };
  expect(await ask('POST /email/send', { bearer, body })).toMatchObject({ code: 'E_OPTED_OUT' });
});

test('in one flush only those to the opted-out are refused', async () => {
  const [one, two] = [await customer(), await customer()];
  await optOut(one.accountId);
  const send = (bearer: string, phone: string) =>
    ask('POST /sms/send', { bearer, body: { phone, message: 'hello' } });
  const codes = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      send(at % 2 ? one.secret : two.secret, at % 3 ? '6111 0000' : '6111 0001'),
    ),
  );
  for (const [at, { http }] of codes.entries()) expect(http).toBe(at % 2 && at % 3 ? 400 : 200);
  expect(await room.balance(one.accountId)).toBe(1_000_000n - 2n * PRICE_MICROS);
  expect(await room.balance(two.accountId)).toBe(1_000_000n - 6n * PRICE_MICROS);
});

test('a repeat of what was accepted before gets its first answer; what was refused may be tried again', async () => {
  const { accountId, secret: bearer } = await customer();
  const body = { phone: '6111 0000', message: 'hello' };
  const first = await ask('POST /sms/send', { bearer, body, key: 'one' });
  await optOut(accountId);
  expect(await ask('POST /sms/send', { bearer, body, key: 'one' })).toEqual(first);
  expect(await ask('POST /sms/send', { bearer, body, key: 'two' })).toMatchObject({ code: 'E_OPTED_OUT' });
  await room.optOuts.db.transaction().execute(async (trx) => {
    const { deleteOptOuts } = await import('./store.ts');
    await deleteOptOuts(trx, [{ accountId, channel: 'sms', recipient: OUT }]);
  });
  expect(await ask('POST /sms/send', { bearer, body, key: 'two' })).toMatchObject({ http: 200 });
});

const FILE = ['name,phone,message', 'Ann,6111 0000,Hello', 'Bob,6111 0001,Hello', 'Eve,6111 0002,Hello'].join(
  '\n',
);

test('a pre-flight counts and lists them, leaves them out of the price, and sends the others', async () => {
  const { accountId, token: bearer } = await customer();
  await optOut(accountId);
  const checked = await upload('/sms/csvPreflight', FILE, { bearer });
  expect(checked).toMatchObject({
    rows: 3,
    accepted: 2,
    refused: 1,
    duplicates: 0,
    optedOut: 1,
    segments: 2,
    price: 0.064102,
    sample: { phone: '+85261110001' },
    reasons: [{ code: 'E_OPTED_OUT', count: 1 }],
    refusals: [
      { row: 2, column: 'phone', code: 'E_OPTED_OUT', message: expect.stringContaining('opted out') },
    ],
  });
  const refused = await inject(`GET /uploads/${checked._id}/refused.csv`, { bearer });
  expect(refused.body).toContain('2,Ann,6111 0000,Hello,phone,');
  const sent = await ask(`POST /uploads/${checked._id}/send`, { bearer });
  expect(sent).toMatchObject({ state: 'SENT', accepted: 2, price: 0.064102 });
  expect(await room.balance(accountId)).toBe(1_000_000n - 2n * PRICE_MICROS);
});

test('a recipient who opts out between the pre-flight and the sending gets nothing, and nobody pays for it', async () => {
  const { accountId, token: bearer } = await customer();
  const checked = await upload('/sms/csvPreflight', FILE, { bearer });
  expect(checked).toMatchObject({ accepted: 3, optedOut: 0, price: 0.096153 });
  await optOut(accountId);
  await optOut(accountId, '+85261110002');
  const sent = await ask(`POST /uploads/${checked._id}/send`, { bearer });
  expect(sent).toMatchObject({
    state: 'SENT',
    rows: 3,
    accepted: 1,
    refused: 2,
    optedOut: 2,
    segments: 1,
    price: 0.032051,
    balance: 0.967949,
    reasons: [{ code: 'E_OPTED_OUT', count: 2 }],
  });
  expect(sent.refusals.map(({ row }: { row: number }) => row)).toEqual([2, 4]);
  expect(await ask(`GET /uploads/${checked._id}`, { bearer })).toEqual(sent);
  expect((await room.messagesOf(accountId)).map(({ recipient }) => recipient)).toEqual(['+85261110001']);
  expect(await room.balance(accountId)).toBe(1_000_000n - PRICE_MICROS);
  const refused = await inject(`GET /uploads/${checked._id}/refused.csv`, { bearer });
  expect(refused.body).toContain('2,,6111 0000,Hello,phone,');
});

test('a file whose recipients have all opted out by then is not sent', async () => {
  const { accountId, token: bearer } = await customer();
  const checked = await upload('/sms/csvPreflight', '6111 0000,hello', { bearer });
  await optOut(accountId);
  const call = `POST /uploads/${checked._id}/send`;
  expect(await ask(call, { bearer })).toMatchObject({ http: 400, code: 'E_UPLOAD_EMPTY' });
  expect(await room.balance(accountId)).toBe(1_000_000n);
});

test('direct sending gives the same counts, and its price is that of what goes out', async () => {
  const { accountId, secret: bearer } = await customer();
  const people = Array.from({ length: 40 }, (_, at) => `6111 ${String(at).padStart(4, '0')},hello`);
  await Promise.all(
    people.slice(0, 10).map((_, at) => optOut(accountId, `+8526111${String(at).padStart(4, '0')}`)),
  );
  // The balance suffices for 31 of the 40.
  const sent = await upload('/sms/csvSend', people.join('\n'), { bearer });
  expect(sent).toMatchObject({ http: 200, state: 'SENT', accepted: 30, optedOut: 10, refused: 10 });
  expect(await room.balance(accountId)).toBe(1_000_000n - 30n * PRICE_MICROS);
});

test('STOP while singles are sent: once it is stored, nothing more is accepted', async () => {
  const { accountId, secret: bearer } = await customer();
  const body = { phone: '6111 0000', message: 'hello' };
  let stored = false;
  const late: number[] = [];
  let accepted = 0;
  const sendOn = async () => {
    // Once more at least after it is stored, however long that takes.
    for (let [at, after] = [0, false]; at < 6 || !after; at += 1) {
      after = stored;
      const { http } = await ask('POST /sms/send', { bearer, body });
      if (http === 200) accepted += 1;
      if (after) late.push(http);
      await sleep(at < 6 ? 2 : 50);
    }
  };
  await Promise.all([
    ...Array.from({ length: 4 }, sendOn),
    sleep(10).then(async () => {
      await optOut(accountId);
      stored = true;
    }),
  ]);
  expect(late.length).toBeGreaterThan(0);
  expect(new Set(late)).toEqual(new Set([400]));
  expect(await room.messagesOf(accountId)).toHaveLength(accepted);
  expect(await room.balance(accountId)).toBe(1_000_000n - BigInt(accepted) * PRICE_MICROS);
});
