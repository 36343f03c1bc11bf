import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { afterAll, expect, test } from 'vitest';
import { openTestAccounts } from '../../../test/accounts.ts';
import { replyWithError } from '../../http/error-reply.ts';
import { registerRoutes } from '../../http/registering/register-routes.ts';
import { adminAccountRoutes } from './admins/admin-routes.ts';
import { accountRoutes, openAccountRoutes } from './routes.ts';
import { openSenderSearch } from './secrets/find-sender.ts';
import { readSecrets } from './secrets/read-secrets.ts';
import { hashSecret } from './secrets/seal-secret.ts';
import { logIn } from './sessions/log-in.ts';
import { findSession } from './sessions/session.ts';

const room = await openTestAccounts();
const { deps, db, pool } = room;
const app = fastify();
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);
app.setErrorHandler(replyWithError);
registerRoutes(
  app,
  [
    { guard: 'public', routes: openAccountRoutes(deps) },
    { guard: 'customer', routes: accountRoutes(deps, (role) => [`GET /for/${role}`]) },
    { guard: 'admin', routes: adminAccountRoutes(deps) },
  ],
  { findSession: (token) => findSession(db, token), findSender: openSenderSearch(db), limits: deps.limits },
);
afterAll(async () => {
  await app.close();
  await room.close();
});

type Method = 'GET' | 'POST' | 'PUT';
const ask = async (
  call: `${Method} /${string}`,
  { token = '', body, language = 'en-US' }: { token?: string; body?: object; language?: string } = {},
) => {
  const [method, path] = call.split(' ') as [Method, string];
  const answer = await app.inject({
    method,
    url: `/api${path}`,
    headers: { 'accept-language': language, ...(token && { authorization: token }) },
    ...(body && { payload: body }),
  });
  return { status: answer.statusCode, headers: answer.headers, ...answer.json() };
};

const signedIn = async (facts: { admin?: boolean } = {}) => {
  const account = await room.activeAccount(facts);
  return { ...account, ...(await logIn(deps, account)) };
};

test('a stranger can’t tell from any answer whether an email has an account', async () => {
  const { email } = await room.activeAccount();
  for (const language of ['en-US', 'zh-HK'])
    for (const [call, extra] of [
      ['POST /account/register', { password: 'some password' }],
      ['POST /account/forgotPassword', {}],
      ['POST /account/login', { password: 'wrong password' }],
    ] as const) {
      const answers = [];
      for (const one of [email, room.newVisitor().email]) {
        const {
          requestId: _,
          headers: __,
          ...answer
        } = await ask(call, { body: { email: one, ...extra }, language });
        answers.push(answer);
      }
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0].message).not.toContain('[');
    }
});

test('the message is in the reader’s language', async () => {
  const body = { email: 'x', password: 'some password' };
  expect(await ask('POST /account/register', { body })).toMatchObject({
    status: 400,
    code: 'E_EMAIL_INVALID',
    message: 'Email is invalid.',
  });
  expect(await ask('POST /account/register', { body, language: 'zh-HK' })).toMatchObject({
    message: '電郵地址無效。',
  });
});

test('the profile holds what the pages read', async () => {
  const { token, accountId, email } = await signedIn();
  const { status, headers, ...profile } = await ask('GET /account/me/profile', { token: `Bearer ${token}` });
  expect(status).toBe(200);
  expect(headers['cache-control']).toBe('no-store');
  expect(profile).toEqual({
    _id: accountId,
    email,
    balance: 0,
    currency: 'HKD',
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    admin: false,
    timeZone: 'Asia/Hong_Kong',
    setting: { receiveEmail: true, webhook: '', sms: { dedicatedPhones: [] } },
    paymentSetting: expect.objectContaining({ autoCharge: false, autoChargeAmount: null, cardId: null }),
  });
});

test("an admin's profile says which calls the role may make", async () => {
  const { token, accountId } = await signedIn({ admin: true });
  await pool.query("update accounts set admin_role = 'finance' where id = $1", [accountId]);
  expect(await ask('GET /account/me/profile', { token })).toMatchObject({
    adminRole: 'finance',
    calls: ['GET /for/finance'],
  });
});

test('the profile tells whose clocks the account goes by', async () => {
  const { token, accountId } = await signedIn();
  await pool.query("update accounts set time_zone = 'America/New_York' where id = $1", [accountId]);
  expect(await ask('GET /account/me/profile', { token })).toMatchObject({ timeZone: 'America/New_York' });
});

test('the API secret is the account’s own, and kept only sealed and hashed', async () => {
  const { accountId } = await signedIn();
  const { secret } = await readSecrets(deps, accountId);
  expect(secret).toMatch(/^ph_[\w-]{32}$/);
  const { rows } = await pool.query(
    'select secret_hash, secret_sealed, accounts::text as row from accounts where id = $1',
    [accountId],
  );
  expect(rows[0].secret_hash).toEqual(hashSecret(secret));
  expect(rows[0].secret_sealed.includes(secret)).toBe(false);
  expect(rows[0].row).not.toContain(secret);
});

test('an account from before there were test secrets gets one that stays, and is its own', async () => {
  const { accountId } = await signedIn();
  await pool.query('update accounts set test_secret_hash = null, test_secret_sealed = null where id = $1', [
    accountId,
  ]);
  const asked = await Promise.all([1, 2, 3].map(() => readSecrets(deps, accountId)));
  const [{ secret, testSecret }] = asked as [{ secret: string; testSecret: string }];
  expect(testSecret).toMatch(/^ph_test_[\w-]{32}$/);
  expect(new Set(asked.map((one) => one.testSecret)).size).toBe(1);
  const find = openSenderSearch(db);
  expect(await find(testSecret)).toEqual({ accountId, test: true });
  expect(await find(secret)).toEqual({ accountId, test: false });
  expect(await find(`${secret}x`)).toBeUndefined();
});

test('another’s account and one that does not exist answer alike, to admins too', async () => {
  const other = await room.activeAccount();
  for (const { token } of [await signedIn(), await signedIn({ admin: true })])
    for (const id of [other.accountId, randomUUID()])
      expect(await ask(`PUT /account/${id}/setting`, { token, body: { receiveEmail: false } })).toMatchObject(
        { status: 404, code: 'E_NOT_FOUND' },
      );
});

test('settings are changed one by one and shown in the profile', async () => {
  const { token, accountId } = await signedIn();
  const webhook = 'https://example.com/hook?a=1';
  for (const body of [{ receiveEmail: false }, { webhook: ` ${webhook} ` }])
    expect(await ask(`PUT /account/${accountId}/setting`, { token, body })).toMatchObject({
      status: 200,
      message: 'Updated successfully.',
    });
  expect(await ask('GET /account/me/profile', { token })).toMatchObject({
    setting: { receiveEmail: false, webhook },
  });
  await ask(`PUT /account/${accountId}/setting`, { token, body: { webhook: '' } });
  expect(await ask('GET /account/me/profile', { token })).toMatchObject({
    setting: { receiveEmail: false, webhook: '' },
  });
});

test.each([
  'example.com',
  'ftp://example.com',
  'javascript:alert(1)',
  'https://',
  'https://a b',
  'http://a\u0000b',
  'https://a/\nb',
])('the webhook %j is refused', async (webhook) => {
  const { token, accountId } = await signedIn();
  expect(await ask(`PUT /account/${accountId}/setting`, { token, body: { webhook } })).toMatchObject({
    status: 400,
    code: 'E_WEBHOOK_INVALID',
  });
});

test('a field that is not asked for is refused', async () => {
  const { token, accountId } = await signedIn();
  const body = { receiveEmail: true, admin: true };
  expect(await ask(`PUT /account/${accountId}/setting`, { token, body })).toMatchObject({
    status: 400,
    code: 'E_INVALID_REQUEST',
  });
});

test('after signing out the token no longer works', async () => {
  const { token } = await signedIn();
  expect(await ask('POST /account/logout', { token })).toMatchObject({ status: 200 });
  expect(await ask('GET /account/me/profile', { token })).toMatchObject({
    status: 401,
    code: 'E_LOGIN_REQUIRED',
  });
});

test('the list of accounts is for admins, newest first, active or not', async () => {
  const customer = await signedIn();
  const admin = await signedIn({ admin: true });
  const { email } = room.newVisitor();
  await ask('POST /account/register', { body: { email, password: 'some password' } });
  expect(await ask('GET /accounts', customer)).toMatchObject({ status: 403, code: 'E_FORBIDDEN' });
  expect(await ask('GET /accounts')).toMatchObject({ status: 401 });
  const { accounts, more } = await ask('GET /accounts', admin);
  expect(more).toBe(false);
  expect(accounts.slice(0, 3)).toEqual([
    {
      _id: expect.any(String),
      email,
      username: email.split('@')[0],
      balance: 0,
      currency: 'HKD',
      active: false,
      closedAt: null,
    },
    expect.objectContaining({ _id: admin.accountId, active: true }),
    expect.objectContaining({ _id: customer.accountId, active: true }),
  ]);
});

test('of more accounts than one answer holds the newest are listed, and that there are more is told', async () => {
  const newest = await room.activeAccount();
  const { rows } = await pool.query('select count(*)::int as total from accounts');
  const total = Number(rows[0].total);
  const listed = async (limit: number) =>
    adminAccountRoutes({ db, listed: limit })['GET /accounts']?.({} as never);
  expect(await listed(total)).toMatchObject({ more: false });
  const { accounts, more } = (await listed(total - 1)) ?? { accounts: [], more: false };
  expect(more).toBe(true);
  expect(accounts).toHaveLength(total - 1);
  expect(accounts[0]?._id).toBe(newest.accountId);
});
