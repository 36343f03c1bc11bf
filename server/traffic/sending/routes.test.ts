import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openTestMessages } from '../../../test/messages.ts';
import { findSession, openSenderSearch } from '../../customer/accounts/index.ts';
import { replyWithError } from '../../http/error-reply.ts';
import { registerRoutes } from '../../http/registering/register-routes.ts';
import { batchRoutes } from '../batches/index.ts';
import { statusRoutes } from '../messages/index.ts';
import { sendingRoutes } from './routes.ts';

const room = await openTestMessages();
const { db, accounts, customer } = room;
await room.addLane({ name: 'sms', channel: 'sms' });
await room.addLane({ name: 'email', channel: 'email' });
await room.addLane({ name: 'simulator', channel: 'sms', simulated: true });
const messages = await room.open();
const app = fastify();
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);
app.setErrorHandler(replyWithError);
registerRoutes(
  app,
  [
    { guard: 'sender', routes: sendingRoutes(messages) },
    { guard: 'sender', routes: statusRoutes(messages) },
    { guard: 'sender', routes: batchRoutes(messages) },
  ],
  {
    findSession: (token) => findSession(db, token),
    findSender: openSenderSearch(db),
    limits: accounts.limits,
  },
);
afterAll(async () => {
  await app.close();
  await room.close();
});

interface Asked {
  bearer?: string;
  body?: object;
  key?: string;
  language?: string;
}
const ask = async (call: string, { bearer, body, key, language = 'en-US' }: Asked = {}) => {
  const [method, path] = call.split(' ') as ['GET' | 'POST', string];
  const answer = await app.inject({
    method,
    url: `/api${path}`,
    headers: {
      'accept-language': language,
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(key && { 'idempotency-key': key }),
    },
    ...(body && { payload: body }),
  });
  return { http: answer.statusCode, retryAfter: answer.headers['retry-after'], ...answer.json() };
};
const content = { phone: '6111 2222', message: 'hello' };

test('one may send by the secret in the body, as a bearer token, or signed in', async () => {
  const { secret, token } = await customer();
  expect(await ask('POST /sms/send', { body: { secret, ...content } })).toMatchObject({
    http: 200,
    phone: '+85261112222',
    segments: 1,
    price: 0.032051,
    balance: 0.967949,
    test: false,
  });
  expect(await ask('POST /sms/send', { bearer: secret, body: content })).toMatchObject({ balance: 0.935898 });
  expect(await ask('POST /sms/send', { bearer: token, body: content })).toMatchObject({ balance: 0.903847 });
  expect(await ask('POST /sms/send', { bearer: token, body: { secret, ...content } })).toMatchObject({
    http: 200,
  });
});

test('the test secret works in both places and costs nothing', async () => {
  const { testSecret } = await customer();
  for (const asked of [{ body: { secret: testSecret, ...content } }, { bearer: testSecret, body: content }])
    expect(await ask('POST /sms/send', asked)).toMatchObject({
      http: 200,
      test: true,
      price: 0,
      balance: 1,
    });
});

test('long texts with the test secret are limited by the day, short ones and paid ones are not', async () => {
  const { accountId, secret, testSecret } = await customer();
  const long = { ...content, message: 'x'.repeat(3_000) };
  const many = {
    messages: Array.from({ length: 60 }, (_, at) => ({ ...content, message: `${at}`.repeat(30) })),
  };
  expect(await ask('POST /sms/send', { bearer: testSecret, body: long })).toMatchObject({ http: 200 });
  await accounts.limits.consume('test-text-account', accountId, 200_000 - 4);
  const refused = { http: 429, code: 'E_TEST_TEXT_LIMIT', retryAfter: expect.stringMatching(/^8\d{4}$/) };
  for (const [call, body] of Object.entries({ 'POST /sms/send': long, 'POST /sms/sendMany': many }))
    expect(await ask(call, { bearer: testSecret, body }), call).toMatchObject(refused);
  const told = await ask('POST /sms/send', { bearer: testSecret, body: long, language: 'zh-HK' });
  expect(told.message).toMatch(/^你的帳戶以測試密鑰發送的文字量已達每日上限，請在 14\d\d 分鐘後再試。$/);
  expect(await ask('POST /sms/send', { bearer: testSecret, body: content })).toMatchObject({ http: 200 });
  expect(
    await ask('POST /sms/send', { bearer: secret, body: { ...content, message: 'x'.repeat(1_500) } }),
  ).toMatchObject({
    http: 200,
  });
});

test('the test secret reads what it sent, and nothing that cost money', async () => {
  const { secret, testSecret } = await customer();
  const paid = await ask('POST /sms/send', { bearer: secret, body: content });
  const free = await ask('POST /sms/send', { bearer: testSecret, body: content });
  for (const { _id, batchId } of [paid, free]) {
    const http = _id === paid._id ? 404 : 200;
    expect(await ask(`GET /messages/${_id}`, { bearer: testSecret })).toMatchObject({ http });
    expect(await ask(`GET /batches/${batchId}`, { bearer: testSecret })).toMatchObject({ http });
    expect(await ask(`GET /messages/${_id}`, { bearer: secret })).toMatchObject({ http: 200 });
  }
});

test('nobody sends without a secret or a session, and a wrong secret is told as such', async () => {
  const { token } = await customer();
  for (const secret of [undefined, ''])
    expect(
      await ask('POST /sms/send', { body: { ...content, ...(secret === '' && { secret }) } }),
    ).toMatchObject({
      http: 401,
      code: 'E_SECRET_MISSING',
      message: expect.stringMatching(/Authorization: Bearer .*"secret"/),
    });
  for (const bearer of ['ph_wrong', 'wrong'])
    expect(await ask('POST /sms/send', { bearer, body: content })).toMatchObject({
      http: 401,
      code: 'E_SECRET_INVALID',
    });
  const ended = token.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'));
  expect(await ask('POST /sms/send', { bearer: ended, body: content })).toMatchObject({
    http: 401,
    code: 'E_LOGIN_REQUIRED',
  });
  for (const bearer of [undefined, token])
    expect(
      await ask('POST /sms/send', { ...(bearer && { bearer }), body: { secret: 'ph_wrong', ...content } }),
    ).toMatchObject({
      http: 401,
      code: 'E_SECRET_INVALID',
      message: expect.stringMatching(/not valid.*Integration/),
    });
});

test('the secret of an account that is not active does not send', async () => {
  const { accountId, secret } = await customer();
  await sql`update accounts set activated_at = null where id = ${accountId}`.execute(db);
  expect(await ask('POST /sms/send', { body: { secret, ...content } })).toMatchObject({ http: 401 });
});

test('the Idempotency-Key makes a repeat harmless', async () => {
  const { accountId, secret } = await customer();
  const first = await ask('POST /sms/send', { bearer: secret, body: content, key: 'one' });
  expect(await ask('POST /sms/send', { body: { ...content, secret }, key: 'one' })).toEqual(first);
  expect(
    await ask('POST /sms/send', { bearer: secret, body: { ...content, message: 'else' }, key: 'one' }),
  ).toMatchObject({ http: 409, code: 'E_IDEMPOTENCY_KEY_REUSED' });
  expect(await room.messagesOf(accountId)).toHaveLength(1);
});

test.each([
  [{ ...content, phone: '123' }, 400, 'E_PHONE_INVALID', '123', '123'],
  [{ ...content, message: '' }, 400, 'E_MESSAGE_EMPTY', 'Message should not be empty', '訊息不可留空'],
  [
    { ...content, phone: '' },
    400,
    'E_RECIPIENT_EMPTY',
    'Please enter target phone number',
    '請輸入目標電話號碼',
  ],
  [
    { ...content, phone: '+44 7700 900123' },
    400,
    'E_PHONE_INVALID',
    'a valid number of GB (+44)',
    'GB（+44）',
  ],
  [{ ...content, phone: '+999 1234' }, 400, 'E_CALLING_CODE_UNKNOWN', '+999 1234 begins with', '+999 1234'],
  [{ message: 'hello' }, 400, 'E_PHONE_MISSING', 'email address', '電郵地址'],
  [{ ...content, phone: 85261112222 }, 400, 'E_PHONE_MISSING', 'as a text', '以文字'],
  [{ ...content, extra: 1 }, 400, 'E_INVALID_REQUEST', 'extra', 'extra'],
  [{ ...content, message: 'a'.repeat(5_000) }, 402, 'E_BALANCE_TOO_LOW', 'top up', '結餘不足'],
])(
  'a faulty message is refused in the reader’s language (case %#)',
  async (body, status, code, english, chinese) => {
    const { secret: bearer } = await customer();
    const answer = await ask('POST /sms/send', { bearer, body });
    expect(answer).toMatchObject({ http: status, code });
    expect(answer.message).toContain(english);
    expect((await ask('POST /sms/send', { bearer, body, language: 'zh-HK' })).message).toContain(chinese);
  },
);

test('a channel that is not known is refused, one without a lane is unavailable', async () => {
  const { secret: bearer } = await customer();
  expect(await ask('POST /fax/send', { bearer, body: content })).toMatchObject({ http: 400 });
  expect(await ask('POST /whatsapp/send', { bearer, body: content })).toMatchObject({
    http: 503,
    code: 'E_NO_LANE',
  });
});

test('a quote tells what sending will cost, and sends nothing', async () => {
  const { accountId, token } = await customer();
  expect(
    await ask('POST /sms/quote', { bearer: token, body: { ...content, message: '字'.repeat(71) } }),
  ).toEqual({
    http: 200,
    phone: '+85261112222',
    segments: 2,
    encoding: 'UCS2',
    unitPrice: 0.032051,
    price: 0.064102,
    balanceAfter: 0.935898,
    test: false,
  });
  expect(await room.messagesOf(accountId)).toEqual([]);
});

test('a batch tells how far it has got, to its own account only', async () => {
  const { accountId, secret, token } = await customer();
  const { batchId } = await ask('POST /sms/send', { bearer: secret, body: content });
  for (const bearer of [secret, token])
    expect(await ask(`GET /batches/${batchId}`, { bearer })).toEqual({
      http: 200,
      _id: batchId,
      channel: 'sms',
      sendAt: null,
      cancelledAt: null,
      kind: 'API',
      test: false,
      createdAt: expect.stringMatching(/Z$/),
      total: 1,
      price: 0.032051,
      cost: 0.032051,
      counts: { PENDING: 1, SUCCESS: 0, FAILED: 0, FAILED_WITH_EXCEPTION: 0, CANCELLED: 0 },
      accountId,
      email: null,
      fileName: '',
      byPage: false,
      delivered: 0,
      countedAt: expect.stringMatching(/Z$/),
      secondsLeft: null,
    });
  await sql`update messages set status = 'SUCCESS' where batch_id = ${batchId}`.execute(db);
  expect(await ask(`GET /batches/${batchId}`, { bearer: secret })).toMatchObject({
    counts: { PENDING: 0, SUCCESS: 1 },
  });
  const other = await customer();
  for (const id of [batchId, randomUUID()])
    expect(await ask(`GET /batches/${id}`, { bearer: other.secret })).toMatchObject({
      http: 404,
      code: 'E_NOT_FOUND',
    });
  expect(await ask(`GET /batches/${batchId}`)).toMatchObject({ http: 401 });
});

test('one message tells what became of it, to its own account only', async () => {
  const { secret, token } = await customer();
  const { _id, batchId } = await ask('POST /sms/send', { bearer: secret, body: content });
  const waiting = {
    http: 200,
    _id,
    batchId,
    channel: 'sms',
    phone: '+85261112222',
    status: 'PENDING',
    reason: '',
    errorCode: '',
    segments: 1,
    price: 0.032051,
    currency: 'USD',
    test: false,
    createdAt: expect.stringMatching(/Z$/),
    sentAt: null,
    deliveredAt: null,
    identifier: null,
  };
  for (const bearer of [secret, token])
    expect(await ask(`GET /messages/${_id}`, { bearer })).toEqual(waiting);
  await sql`update messages set status = 'FAILED', reason = 'Call barred', error_code = '12', sent_at = now(),
    delivered_at = now() where id = ${_id}`.execute(db);
  const ended = { status: 'FAILED', reason: 'Call barred', errorCode: '12' };
  expect(await ask(`GET /messages/${_id}`, { bearer: token, language: 'zh-HK' })).toMatchObject({
    ...ended,
    sentAt: expect.stringMatching(/Z$/),
    deliveredAt: expect.stringMatching(/Z$/),
  });
  await sql`update messages set error_code = 'SIM_REFUSED' where id = ${_id}`.execute(db);
  expect(await ask(`GET /messages/${_id}`, { bearer: token, language: 'zh-HK' })).toMatchObject({
    reason: '模擬器拒絕此收件人。',
  });
  await sql`update messages set error_code = 'E_TOO_LATE' where id = ${_id}`.execute(db);
  expect(await ask(`GET /messages/${_id}`, { bearer: token, language: 'zh-HK' })).toMatchObject({
    reason: expect.stringContaining('限時'),
  });
  const other = await customer();
  for (const id of [_id, randomUUID()])
    expect(await ask(`GET /messages/${id}`, { bearer: other.token })).toMatchObject({ http: 404 });
  expect(await ask('GET /messages/1', { bearer: token })).toMatchObject({ http: 400 });
  expect(await ask(`GET /messages/${_id}`)).toMatchObject({ http: 401 });
});

test('many by one call, each with the reference that comes back', async () => {
  const { secret } = await customer();
  const body = {
    messages: [
      { ...content, identifier: ' order 7 ' },
      { ...content, phone: '12' },
    ],
  };
  const answer = await ask('POST /sms/sendMany', { bearer: secret, body, key: 'many' });
  expect(answer).toMatchObject({
    http: 200,
    accepted: 1,
    refused: 1,
    messages: [
      { accepted: true, identifier: 'order 7' },
      { accepted: false, code: 'E_PHONE_INVALID' },
    ],
  });
  expect(await ask(`GET /messages/${answer.messages[0]._id}`, { bearer: secret })).toMatchObject({
    identifier: 'order 7',
  });
  const inBody = { secret, ...body };
  expect(await ask('POST /sms/sendMany', { body: inBody, key: 'many' })).toEqual(answer);
  for (const messages of [[], Array.from({ length: 1_001 }, () => content), [{ ...content, surplus: 1 }]])
    expect(await ask('POST /sms/sendMany', { bearer: secret, body: { messages } })).toMatchObject({
      http: 400,
    });
  const long = { messages: [{ ...content, identifier: 'x'.repeat(201) }] };
  expect(await ask('POST /sms/sendMany', { bearer: secret, body: long })).toMatchObject({ http: 400 });
});

test('a large body is read only for a sender who is known from the header', async () => {
  const { secret } = await customer();
  const large = { ...content, message: 'a'.repeat(20_000) };
  const body = { messages: Array.from({ length: 60 }, () => large) };
  expect(await ask('POST /sms/sendMany', { body: { secret, ...body } })).toMatchObject({
    http: 413,
    code: 'E_SECRET_IN_HEADER',
    message: expect.stringContaining('1 MB'),
  });
  expect(await ask('POST /sms/sendMany', { bearer: 'ph_nobody', body })).toMatchObject({ http: 401 });
  expect(await ask('POST /sms/sendMany', { bearer: secret, body })).toMatchObject({ http: 200, refused: 60 });
  const larger = { messages: Array.from({ length: 500 }, () => large) };
  expect(await ask('POST /sms/sendMany', { bearer: secret, body: larger })).toMatchObject({ http: 413 });
  expect(
    await ask('POST /sms/send', { bearer: secret, body: { ...content, html: 'a'.repeat(2_000_000) } }),
  ).toMatchObject({
    http: 413,
  });
});
