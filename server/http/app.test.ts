import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AccountId } from '../../contract/customer/accounts.ts';
import type { MessageId } from '../../contract/traffic/messages.ts';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { DomainError } from '../ground/domain-error.ts';
import { openLimits } from '../ground/limits/index.ts';
import { openLog } from '../ground/log/index.ts';
import { type Caller, callerFile } from '../ground/route/index.ts';
import { addWeb, buildApp } from './app.ts';
import type { GuardedRoom } from './registering/register-routes.ts';

const caller = (admin: boolean): Caller => ({
  accountId: '00000000-0000-4000-8000-000000000001' as string as AccountId,
  admin,
  ...(admin && { role: 'owner' }),
  sessionHash: Buffer.alloc(32),
});
const jobId = '00000000-0000-4000-8000-000000000002' as string as MessageId;
const bodies: unknown[] = [];
const take = (body: unknown) => {
  bodies.push(body);
  return { _id: jobId, status: 'FAILED', changed: true } as const;
};
const sessions: Record<string, Caller> = { customer: caller(false), admin: caller(true) };

const rooms: GuardedRoom[] = [
  { guard: 'admin', routes: { 'GET /accounts': () => ({ accounts: [], more: false }) } },
  {
    guard: 'admin',
    routes: {
      'POST /message/:jobId/success': ({ body, changed }) => {
        changed({});
        return take(body);
      },
      'POST /message/:jobId/failed': ({ body, changed }) => {
        changed({});
        return take(body);
      },
      'POST /job/:jobId/transfer': ({ body, changed }) => {
        changed({});
        take(body);
        return { toDevice: { phoneName: 'p1' } };
      },
    },
  },
  { guard: 'customer', routes: { 'POST /account/logout': () => ({ message: 'bye' }) } },
  { guard: 'mailbox', routes: { 'GET /mailbox': () => ({ mails: [] }) } },
  {
    guard: 'public',
    routes: {
      'POST /account/forgotPassword': ({ body }) => {
        if (body.email === 'bug') throw new Error(`relation "accounts" does not exist near ${body.email}`);
        if (body.email === 'away') throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
        if (body.email === 'met') throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
        if (body.email === 'slow') throw new DomainError('E_TOO_MANY_REQUESTS', { seconds: 61, minutes: 2 });
        return { message: 'sent' };
      },
    },
  },
  {
    guard: 'customer',
    files: {
      'GET /list.csv': callerFile({
        summary: 'A list',
        params: z.object({}),
        answer: () => ({ contentType: 'text/csv', fileName: 'list.csv', body: Buffer.from('a') }),
      }),
    },
  },
];

describe('the app', () => {
  let database: TestDatabase;
  let app: FastifyInstance;
  let ready = true;
  let busy = false;
  const lines: string[] = [];

  beforeAll(async () => {
    database = await testDatabase();
    const pagesFolder = await mkdtemp(join(tmpdir(), 'posthorn-pages-'));
    await writeFile(
      join(pagesFolder, 'index.html'),
      '<html><head><meta content="__TRANSLATION_VERSION__"><meta content="__CSP_NONCE__"></head></html>',
    );
    app = await buildApp({
      log: openLog({ level: 'info', write: (line) => lines.push(line) }),
      trustProxy: [],
      publicUrl: 'http://127.0.0.1:3000',
      metricsToken: 'the token of the metrics',
      gauges: [{ name: 'posthorn_test', help: 'A test', read: async () => 7 }],
      checkReady: async () => {
        if (!ready) throw new Error('away');
      },
    });
    await addWeb(app, {
      rooms,
      findSession: async (token) => sessions[token],
      findSender: async () => undefined,
      roleOf: async () => undefined,
      audit: { read: async () => {}, ask: async () => ({ entryId: '1', end: async () => {} }) },
      mailboxToken: 'the token of the mailbox',
      limits: openLimits({ pool: database.pool, factor: 1 }),
      pagesFolder,
      paymentsHosts: false,
      version: '0.0.0',
      publicUrl: 'http://127.0.0.1:3000',
      callLog: { add: () => {} },
      loop: { isBusy: () => busy },
    });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
  const forgot = (payload: object, headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url: '/api/account/forgotPassword', payload, headers });

  it.each([
    ['no token', undefined, 401, 'E_LOGIN_REQUIRED'],
    ['an unknown token', 'stranger', 401, 'E_LOGIN_REQUIRED'],
    ['a customer', 'customer', 403, 'E_FORBIDDEN'],
  ])('an admin call refuses %s', async (_, authorization, status, code) => {
    const reply = await get('/api/accounts', authorization ? { authorization } : {});
    expect(reply.statusCode).toBe(status);
    expect(reply.json()).toMatchObject({ code, requestId: reply.headers['x-request-id'] });
  });

  it('an admin call takes an admin, with the bare token and as a bearer', async () => {
    expect((await get('/api/accounts', { authorization: 'admin' })).statusCode).toBe(200);
    expect((await get('/api/accounts', { authorization: 'Bearer admin' })).statusCode).toBe(200);
  });

  it('the mailbox opens by its token alone, wherever the request seems to come from', async () => {
    const token = { 'x-mailbox-token': 'the token of the mailbox' };
    for (const given of ['', 'another token'])
      expect((await get('/api/mailbox', { 'x-mailbox-token': given })).statusCode).toBe(404);
    expect((await get('/api/mailbox', { host: 'localhost:3000' })).statusCode).toBe(404);
    expect((await get('/api/mailbox', token)).statusCode).toBe(200);
    const away = { remoteAddress: '192.0.2.7', url: '/api/mailbox', headers: token };
    expect((await app.inject(away)).statusCode).toBe(200);
  });

  it('files have to come again while the program can’t keep up, and calls are answered', async () => {
    const headers = { authorization: 'customer' };
    expect((await get('/api/list.csv', headers)).statusCode).toBe(200);
    busy = true;
    const refused = await get('/api/list.csv', headers);
    expect(refused.statusCode).toBe(503);
    expect(refused.headers['retry-after']).toBe('5');
    expect((await get('/healthz')).statusCode).toBe(200);
    expect((await get('/api/accounts', { authorization: 'admin' })).statusCode).toBe(200);
    busy = false;
  });

  it('an https address is kept by browsers', async () => {
    const secure = await buildApp({
      log: openLog({ level: 'silent' }),
      metricsToken: undefined,
      gauges: [],
      trustProxy: [],
      publicUrl: 'https://shop.example',
      checkReady: async () => {},
    });
    const { headers } = await secure.inject('/healthz');
    await secure.close();
    expect(headers['strict-transport-security']).toContain('max-age=31536000');
    expect((await get('/healthz')).headers['strict-transport-security']).toBeUndefined();
  });

  it('without a token of their own the metrics are nobody’s, on this machine too', async () => {
    const closed = await buildApp({
      log: openLog({ level: 'silent' }),
      metricsToken: undefined,
      gauges: [],
      trustProxy: [],
      publicUrl: 'http://127.0.0.1:3000',
      checkReady: async () => {},
    });
    for (const authorization of ['', 'Bearer ', 'Bearer undefined'])
      expect((await closed.inject({ url: '/metrics', headers: { authorization } })).statusCode).toBe(404);
    await closed.close();
  });

  it('refuses an unknown field by its name, in the language of the reader', async () => {
    const reply = await forgot({ email: 'a@example.com', admin: true });
    expect(reply.statusCode).toBe(400);
    expect(reply.json().code).toBe('E_INVALID_REQUEST');
    expect(reply.json().message).toBe("The request can't be understood. There is no such field: admin.");
    const inChinese = await forgot({ email: 'a@example.com', admin: true }, { 'accept-language': 'zh-HK' });
    expect(inChinese.json().message).toBe('無法處理此請求。沒有以下欄位：admin。');
    const missing = await forgot({});
    expect(missing.json()).toMatchObject({
      code: 'E_FIELD_MISSING',
      message: 'The field "email" is missing.',
    });
    const chinese = await forgot({ email: 1 }, { 'accept-language': 'zh-HK' });
    expect(chinese.json().message).toMatch(/\p{Script=Han}/u);
  });

  it.each([
    [`/api/message/${jobId}/success`, {}],
    [`/api/message/${jobId}/failed`, { reason: 'invalid contact' }],
    [`/api/job/${jobId}/transfer`, {}],
  ])('%s needs no body, whatever content type is named for nothing', async (url, body) => {
    const call = (type: string | undefined, payload?: string) => {
      const headers = { authorization: 'admin', ...(type && { 'content-type': type }) };
      return app.inject({ method: 'POST', url, headers, ...(payload !== undefined && { payload }) });
    };
    bodies.length = 0;
    for (const reply of [
      await call(undefined),
      await call('application/json'),
      await call('application/json', ''),
      await call('application/x-www-form-urlencoded'),
      await call('application/json', 'null'),
      await call('application/json', '{}'),
    ])
      expect(reply.statusCode).toBe(200);
    expect(bodies).toEqual(Array(6).fill(body));
    expect((await call('application/json', '{"unknown":1}')).statusCode).toBe(400);
    expect((await call('application/json', '{')).statusCode).toBe(400);
    expect((await forgot(undefined as never)).statusCode).toBe(400);
  });

  it('a broken body and one that is too large get a clear refusal', async () => {
    const send = (payload: string) =>
      app.inject({
        method: 'POST',
        url: '/api/account/forgotPassword',
        payload,
        headers: { 'content-type': 'application/json' },
      });
    expect((await send('{"email":')).statusCode).toBe(400);
    expect((await send(`{"email":"${'x'.repeat(1_100_000)}"}`)).json().code).toBe('E_TOO_LARGE');
  });

  it("an unexpected error shows nothing of the inside, and its text in the log no one's address", async () => {
    lines.length = 0;
    const reply = await forgot({ email: 'bug' });
    expect(reply.statusCode).toBe(500);
    expect(reply.body).not.toContain('relation');
    expect(lines.join('')).toContain('does not exist');
  });

  it('a database that is away or that two have met in is told as such, and when to come back', async () => {
    for (const email of ['away', 'met']) {
      const reply = await forgot({ email });
      expect(reply.statusCode).toBe(503);
      expect(reply.headers['retry-after']).toBe('5');
    }
    expect((await forgot({ email: 'slow' })).headers['retry-after']).toBe('61');
  });

  it('every page gets its own nonce and a policy without inline code', async () => {
    const [one, two] = [await get('/dashboard/profile?token=abc'), await get('/')];
    const nonce = /nonce-([^']+)'/.exec(String(one.headers['content-security-policy']))?.[1];
    expect(nonce).toBeTruthy();
    expect(one.body).toContain(`content="${nonce}"`);
    expect(two.body).not.toContain(`content="${nonce}"`);
    expect((await get('/index.html')).body).not.toContain('__CSP_NONCE__');
    expect(one.headers['content-security-policy']).not.toContain('unsafe-inline');
    expect(one.headers['x-content-type-options']).toBe('nosniff');
  });

  it('the log has the route, never the address as typed', async () => {
    lines.length = 0;
    await get('/activate?token=very-secret');
    expect(lines.join('')).toContain('"route":"page"');
    expect(lines.join('')).not.toContain('very-secret');
  });

  it('an unknown call is not answered with a page', async () => {
    const reply = await get('/api/nothing');
    expect(reply.statusCode).toBe(404);
    expect(reply.json().code).toBe('E_NOT_FOUND');
  });

  it('is alive while not ready', async () => {
    ready = false;
    expect((await get('/healthz')).statusCode).toBe(200);
    expect((await get('/readyz')).statusCode).toBe(503);
    ready = true;
    expect((await get('/readyz')).statusCode).toBe(200);
  });

  it('gives its figures to whoever has their token, from anywhere', async () => {
    const token = { authorization: 'Bearer the token of the metrics' };
    const reply = await app.inject({ url: '/metrics', headers: token, remoteAddress: '192.0.2.7' });
    expect(reply.body).toContain('posthorn_http_request_seconds_count');
    expect(reply.body).toContain('posthorn_test 7');
    expect((await get('/metrics', { host: 'localhost' })).statusCode).toBe(404);
    expect((await get('/metrics', { authorization: 'Bearer another token' })).statusCode).toBe(404);
  });

  it('the OpenAPI page is made from the contract', async () => {
    const { paths, webhooks } = (await get('/api/docs/json')).json();
    const [alone, array] = webhooks.event.post.requestBody.content['application/json'].schema.anyOf;
    expect(alone.properties).toHaveProperty('data');
    expect(Object.keys(array.items.properties)).toEqual(['type', 'timestamp', 'data', 'id']);
    const body = paths['/api/account/forgotPassword'].post.requestBody.content['application/json'].schema;
    expect(body.required).toEqual(['email']);
    expect(paths['/api/accounts'].get.security).toEqual([{ session: [] }]);
    expect(paths['/healthz']).toBeUndefined();
  });

  it('a connection that is in use while it closes does not hold it up afterwards', async () => {
    const own = await buildApp({
      log: openLog({ level: 'silent' }),
      trustProxy: [],
      publicUrl: 'http://127.0.0.1:3000',
      metricsToken: undefined,
      gauges: [],
      checkReady: async () => {},
    });
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      own.get('/slow', async () => {
        resolve();
        await new Promise<void>((release) => {
          answer = release;
        });
        return 'done';
      });
    });
    const url = await own.listen({ host: '127.0.0.1', port: 0 });
    const slow = fetch(`${url}/slow`).then((reply) => reply.text());
    await asked;
    const closed = own.close();
    answer();
    expect(await slow).toBe('done');
    await closed;
  });
});
