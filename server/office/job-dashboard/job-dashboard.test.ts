import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openTestAccounts } from '../../../test/accounts.ts';
import { findSession, logIn } from '../../customer/accounts/index.ts';
import { registerRoutes, replyWithError } from '../../http/index.ts';
import { openAudit } from '../audit/index.ts';
import { adminJobRoutes, jobPages } from './index.ts';

const room = await openTestAccounts();
const { db } = room;
const asked: Request[] = [];
const dashboard = {
  answer: async (request: Request) => {
    asked.push(request);
    if (request.url.endsWith('.js'))
      return new Response('1', { headers: { 'content-type': 'text/javascript; charset=utf-8' } });
    return new Response('<script>window.x = 1</script><script src="/jobs/a.js"></script><h1>jobs</h1>', {
      headers: { 'content-type': 'text/html; charset=utf-8', 'x-powered-by': 'them' },
    });
  },
};
const app = fastify();
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);
app.setErrorHandler(replyWithError);
registerRoutes(
  app,
  [
    { guard: 'admin', roles: ['operator'], operation: true, routes: adminJobRoutes({ db }) },
    { guard: 'ticket', roles: ['operator'], mounted: jobPages({ db, dashboard }) },
  ],
  {
    findSession: (token) => findSession(db, token),
    findSender: async () => undefined,
    audit: openAudit(db),
    limits: room.deps.limits,
  },
);
afterAll(async () => {
  await app.close();
  await room.close();
});

const signIn = async (admin: boolean) => {
  const { accountId, email, password } = await room.activeAccount({ admin });
  const { token } = await logIn(room.deps, { email, password, language: 'en_US', address: '127.0.0.1' });
  return { accountId, token };
};
const ticketOf = async (token: string) => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/admin/jobs/ticket',
    headers: { authorization: token },
  });
  return { status: answer.statusCode, path: String(answer.json().path) };
};
const enter = async (path: string) => {
  const answer = await app.inject({ url: path });
  return { answer, cookie: String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? '' };
};

test('an admin’s ticket opens the pages once, by a cookie for their path alone', async () => {
  const { token } = await signIn(true);
  const { path } = await ticketOf(token);
  const { answer, cookie } = await enter(path);
  expect(answer.statusCode).toBe(303);
  expect(answer.headers.location).toBe('/jobs');
  expect(answer.headers['set-cookie']).toMatch(/; Path=\/jobs; HttpOnly; SameSite=Strict; Max-Age=3600$/);
  expect((await enter(path)).answer.statusCode).toBe(400);

  const page = await app.inject({
    url: '/jobs/queues?state=failed',
    headers: { cookie, authorization: token },
  });
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain('<h1>jobs</h1>');
  expect(asked.at(-1)?.url).toBe('http://pages/jobs/queues?state=failed');
  // Neither the session nor the cookie goes on to another program, and none of its headers comes back.
  expect([...(asked.at(-1)?.headers.keys() ?? [])]).toEqual(['accept']);
  expect(page.headers['x-powered-by']).toBeUndefined();
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy.match(/sha256-/g)).toHaveLength(1);
  expect(policy).not.toContain("script-src 'self' 'unsafe-inline'");
});

test('a link to what failed opens exactly that, and a link leads nowhere else', async () => {
  const { token } = await signIn(true);
  const landing = async (more: string) =>
    (await enter(`${(await ticketOf(token)).path}${more}`)).answer.headers.location;
  expect(await landing('&state=failed')).toBe('/jobs/jobs?state=failed');
  for (const more of ['&state=//evil.example', '&state=', '&to=https://evil.example'])
    expect(await landing(more)).toBe('/jobs');
});

test('nothing is written by them', async () => {
  const { token } = await signIn(true);
  const { cookie } = await enter((await ticketOf(token)).path);
  const before = asked.length;
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'] as const)
    expect((await app.inject({ method, url: '/jobs/queues/x', headers: { cookie } })).statusCode).toBe(404);
  expect(asked).toHaveLength(before);
});

test('others do not get in, and a session that ends takes its cookie along', async () => {
  expect((await ticketOf((await signIn(false)).token)).status).toBe(403);
  expect((await app.inject({ url: '/jobs' })).statusCode).toBe(401);
  expect((await app.inject({ url: '/jobs', headers: { cookie: 'posthorn_jobs=abc' } })).statusCode).toBe(401);
  const { accountId, token } = await signIn(true);
  const { cookie } = await enter((await ticketOf(token)).path);
  expect((await app.inject({ url: '/jobs', headers: { cookie } })).statusCode).toBe(200);
  await sql`update accounts set admin = false where id = ${accountId}`.execute(db);
  expect((await app.inject({ url: '/jobs', headers: { cookie } })).statusCode).toBe(401);
  const late = await signIn(true);
  const { path } = await ticketOf(late.token);
  await sql`delete from sessions where account_id = ${late.accountId}`.execute(db);
  expect((await enter(path)).answer.statusCode).toBe(400);
});

test('an admin who loses the role is refused from then on, and gets it back with the role', async () => {
  const { accountId, token } = await signIn(true);
  const { cookie } = await enter((await ticketOf(token)).path);
  const become = (role: string) =>
    sql`update accounts set admin_role = ${role} where id = ${accountId}`.execute(db);
  const status = async () => (await app.inject({ url: '/jobs', headers: { cookie } })).statusCode;
  await become('finance');
  const before = asked.length;
  expect(await status()).toBe(403);
  expect(asked).toHaveLength(before);
  await become('operator');
  expect(await status()).toBe(200);
  await sql`delete from sessions where account_id = ${accountId}`.execute(db);
  expect(await status()).toBe(401);
});

test('what is looked at is in the audit log, once a minute and without what pages are made of', async () => {
  const { accountId, token } = await signIn(true);
  const { cookie } = await enter((await ticketOf(token)).path);
  for (const path of [
    '',
    '/queues/mail',
    '/queues/mail.data',
    '/queues/mail',
    '/assets/page.js',
    '/queues/sms',
  ])
    expect((await app.inject({ url: `/jobs${path}`, headers: { cookie } })).statusCode).toBe(200);
  const { rows } = await sql<{ call: string; subject: string; address: string }>`
    select call, subject, address from audit_entries where admin_id = ${accountId} and event = 'read' order by id`.execute(
    db,
  );
  expect(rows).toEqual(
    ['', 'queues/mail', 'queues/sms'].map((subject) => ({
      call: 'GET /jobs/*',
      subject,
      address: '127.0.0.1',
    })),
  );
});
