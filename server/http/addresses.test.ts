import type { FastifyInstance } from 'fastify';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { AccountId } from '../../contract/customer/accounts.ts';
import { callerFile, callerUpload } from '../ground/route/index.ts';
import type { GuardedRoom } from './registering/register-routes.ts';
import { openWeb } from './testing/open-web.ts';

const rooms: GuardedRoom[] = [
  { guard: 'admin', roles: [], routes: { 'GET /accounts': () => ({ accounts: [], more: false }) } },
  { guard: 'public', routes: { 'POST /account/forgotPassword': () => ({ message: 'sent' }) } },
  {
    guard: 'customer',
    routes: { 'POST /account/logout': () => ({ message: 'bye' }) },
    files: {
      'GET /list.csv': callerFile({
        summary: 'A list',
        params: z.object({}),
        answer: () => ({ contentType: 'text/csv', fileName: 'list.csv', body: Buffer.from('a') }),
      }),
    },
    uploads: {
      'POST /list/import': callerUpload({
        summary: 'A list from a file',
        params: z.object({}),
        fields: z.strictObject({}),
        maxFields: 1,
        maxFieldBytes: 1,
        file: {
          name: 'csv',
          maxBytes: 1,
          missing: 'E_CSV_MISSING',
          keep: async () => ({ close: async () => {} }),
        },
        reply: z.object({}),
        take: () => ({}),
      }),
    },
  },
];

let app: FastifyInstance;
beforeEach(async () => {
  const accountId = '00000000-0000-4000-8000-000000000001' as string as AccountId;
  const sessionHash = Buffer.alloc(32);
  app = await openWeb(rooms, {
    findSession: async (token) =>
      token === 'customer' ? { accountId, admin: false, sessionHash } : undefined,
  });
});

test.each([
  ['GET', '/api/account/forgotPassword', 'POST, OPTIONS'],
  ['HEAD', '/api/account/forgotPassword', 'POST, OPTIONS'],
  ['GET', '/api/account/forgot%50assword?email=a', 'POST, OPTIONS'],
  ['GET', '/api/list/import', 'POST, OPTIONS'],
  ['DELETE', '/api/accounts', 'GET, HEAD, OPTIONS'],
  ['PATCH', '/api/list.csv', 'GET, HEAD, OPTIONS'],
  ['POST', '/api/openapi.json', 'GET, HEAD, OPTIONS'],
  ['PUT', '/dashboard/messages/details/1', 'GET, HEAD, OPTIONS'],
] as const)('%s %s is told what the address takes, whatever was sent', async (method, url, allow) => {
  const headers = { 'content-type': 'text/xml' };
  const payload = method === 'GET' || method === 'HEAD' ? undefined : '<a/>';
  const reply = await app.inject({ method, url, headers, ...(payload && { payload }) });
  expect(reply.statusCode).toBe(405);
  expect(reply.headers).toMatchObject({ allow, 'cache-control': 'no-store' });
  if (method === 'HEAD') return;
  expect(reply.json()).toMatchObject({
    code: 'E_METHOD_NOT_ALLOWED',
    requestId: reply.headers['x-request-id'],
  });
  expect(reply.json().message).toContain(`does not take ${method}: use ${allow.replace(', OPTIONS', '')}.`);
});

test('OPTIONS says what an address takes, of those that there are', async () => {
  for (const [url, allow] of [
    ['/api/account/logout', 'POST, OPTIONS'],
    ['/login', 'GET, HEAD, OPTIONS'],
  ]) {
    const reply = await app.inject({ method: 'OPTIONS', url });
    expect([reply.statusCode, reply.headers.allow, reply.body]).toEqual([204, allow, '']);
  }
});

test.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)(
  '%s of an unknown call stays unknown, whatever was sent',
  async (method) => {
    for (const url of ['/api/nothing', '/api/accounts/', '/api', '/api//accounts']) {
      const payload = method === 'POST' ? { payload: '<a/>' } : {};
      const reply = await app.inject({ method, url, headers: { 'content-type': 'text/xml' }, ...payload });
      expect([url, reply.statusCode]).toEqual([url, 404]);
      if (method !== 'HEAD') expect(reply.json().code).toBe('E_NOT_FOUND');
    }
  },
);

test('an address that is encoded wrongly is refused like all that is wrong', async () => {
  for (const url of ['/api/%', '/dashboard/messages/details/%E4%']) {
    const reply = await app.inject(url);
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({
      code: 'E_INVALID_REQUEST',
      requestId: reply.headers['x-request-id'],
    });
  }
});

test.each([
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '',
])('a call with a body of the type "%s" is told that it has to be JSON', async (type) => {
  const url = '/api/account/forgotPassword';
  const headers = type ? { 'content-type': type } : {};
  const payload = Buffer.from('{"email":"a@example.com"}');
  const reply = await app.inject({ method: 'POST', url, headers, payload });
  expect(reply.statusCode).toBe(415);
  expect(reply.json()).toMatchObject({
    code: 'E_CONTENT_TYPE',
    message: expect.stringContaining('application/json'),
  });
  const good = await app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'Application/JSON; charset=utf-8' },
    payload,
  });
  expect(good.statusCode).toBe(200);
});

test.each(['text/csv', 'text/plain', 'application/json', 'application/octet-stream', ''])(
  'an upload of the type "%s" is told that it has to be a form',
  async (type) => {
    const headers = { authorization: 'customer', ...(type && { 'content-type': type }) };
    const payload = Buffer.from('phone\n61112222\n');
    const reply = await app.inject({ method: 'POST', url: '/api/list/import', headers, payload });
    expect(reply.statusCode).toBe(415);
    expect(reply.json()).toMatchObject({
      code: 'E_CONTENT_TYPE',
      message: expect.stringContaining('multipart/form-data'),
    });
  },
);

test.each(['/nowhere', '/dashboard/nowhere', '/login/more', '/not_found', '/.well-known/nothing'])(
  'the unknown page %s is answered with the page that says so, and 404',
  async (url) => {
    for (const method of ['GET', 'HEAD'] as const) {
      const reply = await app.inject({ method, url: `${url}?x=1.js` });
      expect(reply.statusCode).toBe(404);
      expect(reply.headers).toMatchObject({
        'cache-control': 'no-store',
        'content-type': 'text/html; charset=utf-8',
      });
      if (method === 'GET') expect(reply.body).toContain('<html>');
    }
    expect((await app.inject({ method: 'POST', url })).statusCode).toBe(404);
  },
);

test.each([
  '/llms.txt',
  '/sitemap.xml',
  '/index.html',
  '/.env',
  '/wp-login.php',
  '/x/y.js',
  '/assets/gone.js',
  '/assets/gone',
  '/samples/gone',
  '/dashboard/profile.html',
])('the file %s that is not there is 404 without a page, and nobody keeps that', async (url) => {
  for (const method of ['GET', 'HEAD'] as const) {
    const reply = await app.inject({ method, url });
    expect(reply.statusCode).toBe(404);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.body).not.toContain('<html>');
  }
});

test.each([
  '/',
  '/login',
  '/login/',
  '/LOGIN',
  '/dashboard',
  '/dashboard/messages/details/64f0.x',
  '/%6Cogin',
])('the page %s is there', async (url) => {
  for (const method of ['GET', 'HEAD'] as const)
    expect((await app.inject({ method, url })).statusCode).toBe(200);
});

test('the document of the API is found at the root too', async () => {
  const reply = await app.inject('/openapi.json');
  expect(reply.headers['content-type']).toContain('application/json');
  expect(reply.json()).toEqual((await app.inject('/api/openapi.json')).json());
});
