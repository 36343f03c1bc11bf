import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { Channel } from '../../../contract/ground/channels.ts';
import { openTestLists } from '../../../test/list-app.ts';
import { uploadRoutes } from '../uploads/index.ts';

const room = await openTestLists();
const { ask, db, customer } = room;
await room.addLane({ name: 'shared', channel: 'sms', sender: '+15005550006', preference: 200 });
await room.addLane({
  name: 'shared-email',
  channel: 'email',
  sender: 'post@sender.example',
  preference: 200,
});
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});

const recipients = { sms: '+85261112222', whatsapp: '+85261112222', email: 'ann@example.com' };
const sending = async () => {
  const { accountId, secret, testSecret } = await customer();
  const send = (channel: Channel, fromPhone: string, rest: object = {}, bearer = secret) =>
    ask(`POST /${channel}/send`, {
      bearer,
      body: { phone: recipients[channel], message: 'hi', fromPhone, ...rest },
    });
  return { accountId, secret, testSecret, send };
};

test('a sender that is not the account’s is refused before anything is charged, in the reader’s language', async () => {
  const { accountId, secret, send } = await sending();
  const neighbour = await customer();
  await room.give(neighbour.accountId, 'sms', 'HSBC');
  expect(await send('sms', 'HSBC')).toMatchObject({
    http: 403,
    code: 'E_SENDER_NOT_GIVEN',
    message: expect.stringContaining('HSBC is not a sender of your account'),
  });
  const body = { phone: '+85261112222', message: 'hi', fromPhone: 'HSBC' };
  expect(await ask('POST /sms/send', { bearer: secret, body, language: 'zh-HK' })).toMatchObject({
    message: expect.stringContaining('HSBC 不是你帳戶的發送號碼或名稱'),
  });
  expect(await send('email', 'HSBC')).toMatchObject({ http: 403, code: 'E_SENDER_UNVERIFIED' });
  expect(await send('sms', 'HSBC', { sendAt: new Date(Date.now() + 3_600_000).toISOString() })).toMatchObject(
    {
      code: 'E_SENDER_NOT_GIVEN',
    },
  );
  expect(await room.balance(accountId)).toBe(1_000_000n);
  expect(await room.messagesOf(accountId)).toEqual([]);
});

test('a number or name that was given is sent from, in its one spelling', async () => {
  const { accountId, send } = await sending();
  await room.give(accountId, 'sms', '+85290001111');
  await room.give(accountId, 'sms', 'Shop');
  for (const from of ['+85290001111', '852 9000-1111', 'Shop'])
    expect(await send('sms', from)).toMatchObject({ http: 200, test: false });
  expect(await send('sms', 'SHOP')).toMatchObject({ code: 'E_SENDER_NOT_GIVEN' });
  expect(await send('sms', '85290001112')).toMatchObject({ code: 'E_SENDER_NOT_GIVEN' });
  const stored = (await room.messagesOf(accountId)).map(({ sender }) => sender);
  expect(stored).toEqual(['+85290001111', '+85290001111', 'Shop']);
});

test('what the operator set as the sender of a lane may be named by all, with no name of their own before it', async () => {
  const { accountId, send } = await sending();
  expect(await send('sms', '+1 500 555 0006')).toMatchObject({ http: 200 });
  expect(await send('email', 'post@sender.example')).toMatchObject({ http: 200 });
  expect(await send('email', 'HSBC <post@sender.example>')).toMatchObject({ code: 'E_SENDER_UNVERIFIED' });
  await room.give(accountId, 'email', 'Shop');
  expect(await send('email', 'Shop')).toMatchObject({ http: 200 });
  expect(await send('email', 'Shop <post@sender.example>')).toMatchObject({ http: 200 });
});

test('the sender of a lane that is another account’s own may not be named', async () => {
  const [one, other] = [await sending(), await sending()];
  const lane = { channel: 'sms' as const, sender: '+15005550007', preference: 300 };
  await room.addLane({ name: 'own', ...lane, dedicatedTo: [one.accountId] });
  expect(await other.send('sms', '+15005550007')).toMatchObject({ code: 'E_SENDER_NOT_GIVEN' });
  expect(await one.send('sms', '+15005550007')).toMatchObject({ http: 200 });
});

test('what a simulator takes never leaves, so it may be from anybody', async () => {
  const { send, testSecret } = await sending();
  expect(await send('sms', 'HSBC', {}, testSecret)).toMatchObject({ http: 200, test: true });
});

test('of many messages only those with another’s sender are refused', async () => {
  const { accountId, secret } = await sending();
  await room.give(accountId, 'sms', 'Shop');
  const messages = ['Shop', 'HSBC', undefined].map((fromPhone) => ({
    phone: '+85261112222',
    message: 'hi',
    ...(fromPhone && { fromPhone }),
  }));
  const answer = await ask('POST /sms/sendMany', { bearer: secret, body: { messages } });
  expect(answer).toMatchObject({
    accepted: 2,
    refused: 1,
    messages: [{ accepted: true }, { accepted: false, code: 'E_SENDER_NOT_GIVEN' }, { accepted: true }],
  });
});

const FILE = 'phone,message\n61112222,one\n61113333,two\n';

test('a file from another’s sender is refused when it is checked and when it is sent', async () => {
  const { accountId, secret: bearer } = await sending();
  for (const call of ['/sms/csvPreflight', '/sms/csvSend'])
    expect(await room.upload(call, FILE, { bearer, fields: { fromPhone: 'HSBC' } })).toMatchObject({
      http: 403,
      code: 'E_SENDER_NOT_GIVEN',
    });
  expect(await room.messagesOf(accountId)).toEqual([]);
  await room.give(accountId, 'sms', 'Shop');
  expect(await room.upload('/sms/csvSend', FILE, { bearer, fields: { fromPhone: 'Shop' } })).toMatchObject({
    http: 200,
    accepted: 2,
  });
});

test('a sender that was taken away after a file was checked sends nothing of it', async () => {
  const { accountId, secret: bearer } = await sending();
  await room.give(accountId, 'sms', 'Shop');
  const checked = await room.upload('/sms/csvPreflight', FILE, { bearer, fields: { fromPhone: 'Shop' } });
  expect(checked).toMatchObject({ http: 200, accepted: 2 });
  await sql`delete from senders where account_id = ${accountId}`.execute(db);
  // As another process would: this one may remember for a moment what it read before.
  const routes = uploadRoutes(await room.open());
  const sent = routes['POST /uploads/:uploadId/send']?.({
    sender: { accountId, test: false },
    params: { uploadId: checked._id },
    body: {},
    language: 'en_US',
  } as never);
  await expect(sent).rejects.toMatchObject({ code: 'E_SENDER_NOT_GIVEN' });
  expect(await room.messagesOf(accountId)).toEqual([]);
});
