import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { afterAll, expect, test } from 'vitest';
import { openTestMessages } from '../../../test/messages.ts';
import { replyWithError } from '../../http/error-reply.ts';
import { recordCalls } from '../../http/record-calls.ts';
import { registerRoutes } from '../../http/registering/register-routes.ts';
import { batchRoutes } from '../../traffic/batches/index.ts';
import { statusRoutes } from '../../traffic/messages/index.ts';
import { sendingRoutes } from '../../traffic/sending/index.ts';
import { accountRoutes, findSession, openSenderSearch } from '../accounts/index.ts';
import { openCallLog } from './call-log.ts';
import { integrationRoutes } from './routes.ts';

const room = await openTestMessages();
const { db, accounts, customer } = room;
await room.addLane({ name: 'sms', channel: 'sms' });
await room.addLane({ name: 'simulator', channel: 'sms', simulated: true });
const messages = await room.open();
const app = fastify({ genReqId: () => randomUUID() });
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);
app.setErrorHandler(replyWithError);
const log = { warn: () => {} } as never;
let callLog = openCallLog({ db, log });
recordCalls(app, { add: (call) => callLog.add(call) });
const publicUrl = "https://posthorn.example/it's";
registerRoutes(
  app,
  [
    { guard: 'sender', routes: sendingRoutes(messages) },
    { guard: 'sender', routes: statusRoutes(messages) },
    { guard: 'sender', routes: batchRoutes(messages) },
    { guard: 'customer', routes: accountRoutes(accounts) },
    { guard: 'customer', routes: integrationRoutes({ db, secretKey: accounts.secretKey, publicUrl }) },
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
/** Writes what waits; the next calls go to another log. */
const written = async () => {
  const closing = callLog.close();
  callLog = openCallLog({ db, log });
  await closing;
};

type Method = 'GET' | 'POST' | 'DELETE';
const ask = async (
  call: `${Method} /${string}`,
  { token, body, language = 'en-US' }: { token?: string; body?: object; language?: string } = {},
) => {
  const [method, path] = call.split(' ') as [Method, string];
  const answer = await app.inject({
    method,
    url: `/api${path}`,
    headers: { 'accept-language': language, ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { payload: body }),
  });
  return { http: answer.statusCode, ...answer.json() };
};

test('the samples bear the account’s secret and the public address, quoted as each language wants it', async () => {
  const { accountId, token, secret } = await customer();
  const info = await ask(`GET /account/${accountId}/apiInfo`, { token });
  expect(info).toMatchObject({ secret, oldSecrets: [] });
  for (const [name, code] of Object.entries<string>(info.codes)) {
    if (name === '') continue;
    expect(code).toContain(secret);
    expect(code).not.toMatch(/\{\{\w+\}\}/);
  }
  expect(info.codes['Node.js']).toContain(`"https://posthorn.example/it's"`);
  expect(info.codes.PHP).toContain(String.raw`'https://posthorn.example/it\'s'`);
  expect(info.codes.cURL).toContain(String.raw`'https://posthorn.example/it'\''s'`);
});

test('secrets are masked unless the password was typed in this session a short while ago', async () => {
  const { accountId, token, secret, testSecret } = await customer();
  const info = () => ask(`GET /account/${accountId}/apiInfo`, { token });
  expect(await info()).toMatchObject({ masked: false, secret, testSecret });
  await room.pool.query("update sessions set confirmed_at = now() - interval '16 minutes'");
  const masked = await info();
  expect(masked).toMatchObject({ masked: true, secret: `${'•'.repeat(12)}${secret.slice(-4)}` });
  expect(JSON.stringify(masked)).not.toContain(secret);
  expect(JSON.stringify(masked)).not.toContain(testSecret);
  const confirm = (password: string) =>
    ask(`POST /account/${accountId}/confirmPassword`, { token, body: { password } });
  expect(await confirm('not the password')).toMatchObject({ http: 400, code: 'E_PASSWORD_WRONG' });
  expect(await info()).toMatchObject({ masked: true });
  expect(await confirm('correct horse battery')).toMatchObject({ http: 200 });
  expect(await info()).toMatchObject({ masked: false, secret, testSecret });
});

test('a secret is replaced, shown with its end, and ended', async () => {
  const { accountId, token, secret } = await customer();
  const rotate = (test: boolean) =>
    ask(`POST /account/${accountId}/secret/rotate`, { token, body: { test } });
  expect(await rotate(false)).toMatchObject({ http: 200, message: expect.stringContaining('24 hours') });
  const info = await ask(`GET /account/${accountId}/apiInfo`, { token });
  expect(info.secret).not.toBe(secret);
  const [old] = info.oldSecrets;
  expect(old).toMatchObject({ test: false, hint: secret.slice(-4) });
  const body = { phone: '6111 2222', message: 'hello' };
  for (const bearer of [secret, info.secret])
    expect(await ask('POST /sms/send', { token: bearer, body })).toMatchObject({ http: 200 });
  const end = `DELETE /account/${accountId}/oldSecrets/${old._id}` as const;
  expect(await ask(end, { token })).toMatchObject({ http: 200 });
  expect(await ask(end, { token })).toMatchObject({ http: 404 });
  expect(await ask(`GET /account/${accountId}/apiInfo`, { token })).toMatchObject({ oldSecrets: [] });
});

test('the calls made with a secret are listed, refusals too; those of a session are not', async () => {
  const { accountId, token, secret, testSecret } = await customer();
  const body = { phone: '6111 2222', message: 'hello' };
  await ask('POST /sms/send', { token: secret, body });
  await ask('POST /sms/send', { body: { secret: testSecret, ...body } });
  await ask('POST /sms/send', { token: secret, body: { ...body, phone: '12' } });
  await ask('POST /sms/send', { token: secret, body: { ...body, surplus: true } });
  await ask('POST /sms/send', { token, body });
  await ask('POST /sms/send', { token: 'ph_unknown', body });
  await ask(`GET /batches/${randomUUID()}?secret=hidden`, { token: secret });
  await written();
  const { calls, total } = await ask(`GET /account/${accountId}/apiCalls`, { token });
  expect(total).toBe(5);
  expect(
    calls.map(({ path, status, code, test }: Record<string, unknown>) => [path, status, code, test]),
  ).toEqual([
    [expect.stringMatching(/^\/api\/batches\/[0-9a-f-]+$/), 404, 'E_NOT_FOUND', false],
    ['/api/sms/send', 400, 'E_INVALID_REQUEST', false],
    ['/api/sms/send', 400, 'E_PHONE_INVALID', false],
    ['/api/sms/send', 200, null, true],
    ['/api/sms/send', 200, null, false],
  ]);
  expect(calls[4]).toMatchObject({ channel: 'sms', answer: { phone: '+852***22', price: 0.032051 } });
  expect(JSON.stringify(calls)).not.toMatch(/ph_|hello|61112222/);
  const refused = await ask(`GET /account/${accountId}/apiCalls?outcome=REFUSED&limit=2`, { token });
  expect(refused).toMatchObject({ total: 3, more: true });
  const next = await ask(
    `GET /account/${accountId}/apiCalls?outcome=REFUSED&limit=2&before=${refused.calls[1]._id}`,
    { token },
  );
  expect(next.calls).toHaveLength(1);
});

test('nothing of another account is answered, and nonsense is refused', async () => {
  const { token, secret } = await customer();
  const { accountId: other } = await customer();
  for (const call of [
    `GET /account/${other}/apiInfo`,
    `GET /account/${other}/apiCalls`,
    `DELETE /account/${other}/oldSecrets/${randomUUID()}`,
  ] as const) {
    expect(await ask(call, { token })).toMatchObject({ http: 404, code: 'E_NOT_FOUND' });
    // A secret sends; it is not a session.
    expect(await ask(call, { token: secret })).toMatchObject({ http: 401 });
  }
  const body = { test: false };
  expect(await ask(`POST /account/${other}/secret/rotate`, { token, body })).toMatchObject({ http: 404 });
  const { accountId, token: own } = await customer();
  for (const query of [
    'outcome=GOOD',
    'before=1',
    `before=${'-'.repeat(36)}.1`,
    'limit=0',
    'limit=9999',
    'other=1',
  ])
    expect(await ask(`GET /account/${accountId}/apiCalls?${query}`, { token: own })).toMatchObject({
      http: 400,
    });
});
