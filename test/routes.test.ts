import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { type Database, openDatabase } from '../server/ground/postgres/index.ts';

import { callApi, mailedToken } from './api.ts';
import { emptyDatabase } from './database.ts';
import { type Program, startProgram } from './program.ts';
import { type Endpoint, listEndpoints } from './webhooks/endpoints.ts';

const endpoints = listEndpoints();

const PASSWORD = 'correct horse battery';
let program: Program;
let pool: Database['pool'];
/** Who asks, with what they say who they are by; the owner of what is asked for comes last. */
const identities = new Map<string, string>();
const params: Record<string, string> = {};
/** What gives away that an answer is about the owner. */
const ofOwner: string[] = [];
let adminId: string;
const undo: (() => Promise<unknown>)[] = [];

const newAccount = async (name: string) => {
  const email = `${name}@example.com`;
  await callApi(program.url, 'POST /account/register', { body: { email, password: PASSWORD } });
  const activation = { token: await mailedToken(program.url, email) };
  const { token, accountId } = (await callApi(program.url, 'POST /activate', { body: activation })).reply;
  const { reply } = await callApi(program.url, 'GET /account/:accountId/apiInfo', {
    token,
    params: { accountId },
  });
  return { email, token, accountId, secret: reply.secret, testSecret: reply.testSecret };
};

const upload = async (path: string, token: string, fields: Record<string, string> = {}) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('csv', new Blob(['phone,message\n+85261112222,hello\n']), 'people.csv');
  return fetch(`${program.url}${path}`, { method: 'POST', headers: { authorization: token }, body: form });
};

beforeAll(async () => {
  const database = await emptyDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-routes-'));
  undo.push(() => rm(folder, { recursive: true, force: true }), database.drop);
  const env = {
    DATABASE_URL: database.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    LIMITS_FACTOR: '1000',
  };
  program = await startProgram({ dataDir: join(folder, 'data'), env });
  undo.push(program.stop);
  const opened = openDatabase({ url: database.url, max: 1, onError: () => {} });
  pool = opened.pool;
  undo.push(opened.close);

  const [owner, other, closed, admin] = [
    await newAccount('owner'),
    await newAccount('other'),
    await newAccount('closed'),
    await newAccount('admin'),
  ];
  await pool.query('update accounts set admin = true where id = $1', [admin.accountId]);
  await callApi(program.url, 'POST /account/:accountId/close', {
    token: closed.token,
    params: { accountId: closed.accountId },
    body: { email: closed.email, password: PASSWORD },
  });
  const own = { token: owner.token, params: { accountId: owner.accountId } };
  const sent = await callApi(program.url, 'POST /:channel/send', {
    params: { channel: 'sms' },
    token: `Bearer ${owner.testSecret}`,
    body: { phone: '+85261112222', message: 'hello' },
  });
  // What can be done with a message depends on whether it was sent.
  const state = () =>
    callApi(program.url, 'GET /messages/:messageId', {
      params: { messageId: sent.reply._id },
      token: `Bearer ${owner.testSecret}`,
    });
  await vi.waitFor(async () => expect((await state()).reply.status).toBe('SUCCESS'), {
    timeout: 60_000,
    interval: 100,
  });
  // The query service starts after the program.
  await vi.waitFor(
    async () => {
      const { status } = await callApi(program.url, 'GET /qf/zones', { token: admin.token });
      expect(status).toBe(200);
    },
    { timeout: 60_000, interval: 100 },
  );
  const contact = await callApi(program.url, 'POST /account/:accountId/contacts', {
    ...own,
    body: { phone: '+85261112222' },
  });
  const device = await callApi(program.url, 'POST /devices/create', {
    token: owner.token,
    body: { countryCode: 'HK' },
  });
  const checked = (await (await upload('/api/sms/csvPreflight', owner.token)).json()) as { _id: string };
  Object.assign(params, {
    channel: 'sms',
    accountId: owner.accountId,
    messageId: sent.reply._id,
    batchId: sent.reply.batchId,
    contactId: contact.reply.contact._id,
    deviceId: device.reply.deviceId,
    uploadId: checked._id,
    mailId: 'none.eml',
    laneId: '1',
    priceId: '2147483647',
    senderId: '1',
    bookmarkId: '1',
    name: 'none',
    '*': 'nothing',
  });
  adminId = admin.accountId;
  ofOwner.push(owner.accountId, owner.email, sent.reply._id, device.reply.deviceId);
  identities.set('stranger', '');
  identities.set('closed', closed.token);
  identities.set('closed secret', `Bearer ${closed.secret}`);
  identities.set('other', other.token);
  identities.set('other secret', `Bearer ${other.secret}`);
  identities.set('admin', admin.token);
  identities.set('test secret', `Bearer ${owner.testSecret}`);
  identities.set('secret', `Bearer ${owner.secret}`);
  identities.set('owner', owner.token);
});
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

const NOBODY = '00000000-0000-4000-8000-000000000000';
/** Bodies that the owner's call would be answered with; without one the call says nothing about who may make it. */
const bodies: Record<string, object> = {
  'PUT /account/:accountId/setting': { receiveEmail: true },
  'PUT /account/:accountId/paymentSetting': { currency: 'USD' },
  'POST /account/:accountId/close': { email: 'owner@example.com', password: 'not the password' },
  'POST /account/:accountId/confirmPassword': { password: 'not the password' },
  'POST /account/:accountId/secret/rotate': { test: true },
  'POST /account/:accountId/contacts': { phone: '+85261113333' },
  'PUT /account/:accountId/contacts/:contactId': { name: 'Ann', notes: '' },
  'POST /account/:accountId/optOuts': { channel: 'sms', phone: '+85261115555' },
  'POST /account/:accountId/senders': { sender: 'news@shop.example' },
  'POST /admin/senders': { accountId: NOBODY, channel: 'sms', sender: 'Shop' },
  'POST /account/:accountId/adjustment': { amount: 1, reason: 'a test' },
  'POST /admin/accounts/:accountId/approval': { approved: true },
  'PUT /admin/accounts/:accountId/limits': { spendPerDay: 100 },
  'POST /admin/invitations': { email: 'guest@example.com' },
  'POST /admin/prices': { channel: 'sms', country: 'GB', unitPrice: '0.05' },
  'POST /devices/create': { countryCode: 'HK' },
  // Who may pair is decided after what can't be a number.
  'POST /devices/:deviceId/pairingCode': { phoneNumber: 'none' },
  'POST /:channel/send': { phone: '+85261112222', message: 'hello' },
  'POST /:channel/sendMany': { messages: [{ phone: '+85261112222', message: 'hello' }] },
  'POST /:channel/quote': { message: 'hello' },
  'POST /qf/sql_database': { zone_id: 1 },
  'POST /qf/sql_query': { zone_id: 1, database: 'none', sql: 'select 1' },
  'POST /qf/sql_tables': { zone_id: 1, database: 'none' },
  'POST /qf/merchants': { zone_id: 1, database: 'none', term: 'none' },
  'PUT /qf/bookmarks/:bookmarkId': { query: 'select 1', database: 'none', zone_id: 1, shared: true },
};

const statusOf = async ({ name, method, path, kind }: Endpoint, authorization: string) => {
  const filled = fill(path, params);
  if (kind === 'uploads') return (await upload(filled, authorization)).status;
  const answer = await fetch(program.url + filled, {
    method,
    headers: {
      ...(authorization && { authorization }),
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
    },
    ...(method !== 'GET' && { body: JSON.stringify(bodies[name] ?? {}) }),
  });
  await answer.arrayBuffer();
  return answer.status;
};

const QUERIES: Record<string, string> = {
  'GET /account/:accountId/conversation': '?phone=%2B85261112222&channel=sms',
  'GET /devices': '?all=true',
};
const fill = (path: string, values: Record<string, string>): string =>
  path.replace(/:(\w+)|\*/g, (_, key: string) => values[key ?? '*'] ?? NOBODY);

test('whatever shows an admin something of a customer was noted before, for good', async () => {
  const reading = endpoints.filter(({ method }) => method === 'GET');
  const showing = new Set<string>();
  // By the owner's account, and by the admin's own: a search among all messages is found there.
  for (const accountId of [params.accountId ?? '', adminId])
    for (const { name, path } of reading) {
      const answer = await fetch(program.url + fill(path, { ...params, accountId }) + (QUERIES[name] ?? ''), {
        headers: { authorization: identities.get('admin') ?? '' },
      });
      const text = await answer.text();
      if (answer.ok && ofOwner.some((mark) => text.includes(mark))) showing.add(name);
    }
  const { rows } = await pool.query<{ call: string; account_id: string | null; subject: string }>(
    `select distinct call, account_id, subject from audit_entries
     where event = 'read' and admin_id = $1 and address <> $2 order by call`,
    [adminId, ''],
  );
  const noted = new Set(rows.map(({ call }) => call));
  expect([...showing].filter((name) => !noted.has(name))).toEqual([]);
  expect([...showing].toSorted()).toMatchInlineSnapshot(`
    [
      "GET /account/:accountId/conversation",
      "GET /account/:accountId/messages",
      "GET /account/:accountId/messages.csv",
      "GET /accounts",
      "GET /admin/accounts",
      "GET /admin/audit",
      "GET /admin/audit.csv",
      "GET /devices",
      "GET /messages/:messageId/timeline",
    ]
  `);
  expect(rows).toContainEqual({
    call: 'GET /account/:accountId/conversation',
    account_id: params.accountId,
    subject: '',
  });
  expect(rows).toContainEqual({
    call: 'GET /messages/:messageId/timeline',
    account_id: null,
    subject: params.messageId,
  });
});

test('who may call what: every endpoint, by everybody', async () => {
  const seen: Record<string, string> = {};
  const statuses = new Map<string, Map<string, number>>();
  // Signing out ends the sessions of this test.
  const last = (name: string) => Number(name === 'POST /account/logout');
  for (const endpoint of endpoints.toSorted((a, b) => last(a.name) - last(b.name))) {
    const row = new Map<string, number>();
    for (const [identity, authorization] of identities)
      row.set(identity, await statusOf(endpoint, authorization));
    statuses.set(endpoint.name, row);
    seen[endpoint.name] = [...row.values()].join(' ');
  }
  const rule = ({ name, guard, path }: Endpoint): string[] => {
    const row = statuses.get(name) ?? new Map<string, number>();
    const of = (...who: string[]) => who.map((one) => row.get(one) ?? 0);
    const faults: string[] = [];
    const expectAll = (why: string, given: number[], fits: (status: number) => boolean) => {
      if (!given.every(fits)) faults.push(`${name}: ${why}: ${given.join(' ')}`);
    };
    expectAll('nobody gets an internal error', [...row.values()], (status) => status < 500 || status === 503);
    if (['customer', 'admin', 'sender'].includes(guard)) {
      expectAll('strangers have to sign in', of('stranger', 'closed'), (status) => status === 401);
      expectAll(
        'a closed account is refused',
        of('closed secret'),
        (status) => status === 401 || status === 403,
      );
    }
    if (guard === 'customer' || guard === 'admin')
      expectAll(
        'a secret is no session',
        of('secret', 'test secret', 'other secret'),
        (status) => status === 401,
      );
    if (guard === 'admin') expectAll('for admins only', of('other', 'owner'), (status) => status === 403);
    // Admins look at anybody's messages and batches, by calls that name no account.
    const theirs = path.includes(':accountId')
      ? of('other', 'other secret', 'admin')
      : of('other', 'other secret');
    if (guard !== 'admin' && /:(accountId|messageId|batchId|uploadId|deviceId)/.test(path))
      expectAll('what is another’s is not there', theirs, (status) => status >= 400);
    if (guard === 'mailbox' || guard === 'signed')
      expectAll('without its token or signature', [...row.values()], (status) => status >= 400);
    return faults;
  };
  expect(endpoints.flatMap(rule)).toEqual([]);
  expect([...identities.keys()].join(', ')).toMatchInlineSnapshot(
    `"stranger, closed, closed secret, other, other secret, admin, test secret, secret, owner"`,
  );
  expect(seen).toMatchInlineSnapshot(`
    {
      "DELETE /account/:accountId/contacts/:contactId": "401 401 401 404 401 404 401 401 200",
      "DELETE /account/:accountId/oldSecrets/:oldSecretId": "401 401 401 404 401 404 401 401 404",
      "DELETE /account/:accountId/optOuts/:optOutId": "401 401 401 400 401 400 401 401 400",
      "DELETE /account/:accountId/senders/:senderId": "401 401 401 404 401 404 401 401 200",
      "DELETE /admin/accounts/:accountId/suspension": "401 401 401 403 401 200 401 401 403",
      "DELETE /admin/admins/:accountId": "401 401 401 403 401 404 401 401 403",
      "DELETE /admin/agents/:agentId": "401 401 401 403 401 404 401 401 403",
      "DELETE /admin/invitations/:invitationId": "401 401 401 403 401 404 401 401 403",
      "DELETE /admin/lanes/:laneId": "401 401 401 403 401 409 401 401 403",
      "DELETE /admin/senders/:senderId": "401 401 401 403 401 404 401 401 403",
      "DELETE /cards/:cardId": "401 401 401 400 401 400 401 401 400",
      "DELETE /devices/:deviceId": "401 401 401 404 401 404 401 401 200",
      "DELETE /qf/bookmarks": "401 401 401 403 401 200 401 401 403",
      "DELETE /qf/bookmarks/:bookmarkId": "401 401 401 403 401 200 401 401 403",
      "DELETE /qf/withheld/:accountId": "401 401 401 403 401 200 401 401 403",
      "DELETE /uploads/:uploadId": "401 401 403 404 404 404 404 200 404",
      "GET /account/:accountId/apiCalls": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/apiInfo": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/batches": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/billing": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/billing/days": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/billingDates": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/contacts": "401 401 401 400 401 400 401 401 400",
      "GET /account/:accountId/contacts.csv": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/contacts/page": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/conversation": "401 401 401 400 401 400 401 401 400",
      "GET /account/:accountId/export.zip": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/glance": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/ledger": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/ledger.csv": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/media/:mediaId": "401 401 401 404 401 404 401 401 404",
      "GET /account/:accountId/media/:mediaId/preview": "401 401 401 404 401 404 401 401 404",
      "GET /account/:accountId/messages": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/messages.csv": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/messages/:messageId/whatsapp": "401 401 401 404 401 404 401 401 404",
      "GET /account/:accountId/optOuts": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/optOuts.csv": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/payments": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/payments/:paymentId/receipt.pdf": "401 401 401 404 401 404 401 401 404",
      "GET /account/:accountId/senders": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/statement.pdf": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/visits": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/webhook": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/webhook/events": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/webhook/events/:eventId": "401 401 401 404 401 404 401 401 404",
      "GET /account/me/profile": "401 401 401 200 401 200 401 401 200",
      "GET /accounts": "401 401 401 403 401 200 401 401 403",
      "GET /admin/accounts": "401 401 401 403 401 200 401 401 403",
      "GET /admin/accounts/:accountId/limits": "401 401 401 403 401 200 401 401 403",
      "GET /admin/admins": "401 401 401 403 401 200 401 401 403",
      "GET /admin/agents": "401 401 401 403 401 200 401 401 403",
      "GET /admin/audit": "401 401 401 403 401 200 401 401 403",
      "GET /admin/audit.csv": "401 401 401 403 401 200 401 401 403",
      "GET /admin/audit/verification": "401 401 401 403 401 200 401 401 403",
      "GET /admin/bulkActions": "401 401 401 403 401 200 401 401 403",
      "GET /admin/bulkActions/:actionId": "401 401 401 403 401 400 401 401 403",
      "GET /admin/bulkActions/:actionId/results": "401 401 401 403 401 400 401 401 403",
      "GET /admin/carrierPrefixes": "401 401 401 403 401 200 401 401 403",
      "GET /admin/inDoubt": "401 401 401 403 401 200 401 401 403",
      "GET /admin/invitations": "401 401 401 403 401 200 401 401 403",
      "GET /admin/lanes": "401 401 401 403 401 200 401 401 403",
      "GET /admin/overview": "401 401 401 403 401 200 401 401 403",
      "GET /admin/payments": "401 401 401 403 401 200 401 401 403",
      "GET /admin/payments/:paymentId": "401 401 401 403 401 404 401 401 403",
      "GET /admin/prices": "401 401 401 403 401 200 401 401 403",
      "GET /admin/prices.csv": "401 401 401 403 401 200 401 401 403",
      "GET /admin/retention": "401 401 401 403 401 200 401 401 403",
      "GET /admin/routes": "401 401 401 403 401 200 401 401 403",
      "GET /admin/senders": "401 401 401 403 401 200 401 401 403",
      "GET /admin/unassigned": "401 401 401 403 401 200 401 401 403",
      "GET /agents/connect": "400 400 400 400 400 400 400 400 400",
      "GET /batches/:batchId": "401 401 403 404 404 404 200 200 200",
      "GET /batches/:batchId/failed.csv": "401 401 403 404 404 404 200 200 200",
      "GET /cards": "401 401 401 200 401 200 401 401 200",
      "GET /devices": "401 401 401 200 401 200 401 401 200",
      "GET /job/:jobId/queue": "401 401 401 403 401 404 401 401 403",
      "GET /job/:jobId/transferPreview": "401 401 401 403 401 404 401 401 403",
      "GET /jobs": "401 401 401 401 401 401 401 401 401",
      "GET /jobs/*": "401 401 401 401 401 401 401 401 401",
      "GET /lanes": "401 401 401 403 401 200 401 401 403",
      "GET /mailbox": "404 404 404 404 404 404 404 404 404",
      "GET /mailbox/:mailId": "404 404 404 404 404 404 404 404 404",
      "GET /messages/:messageId": "401 401 403 404 404 404 200 200 200",
      "GET /messages/:messageId/timeline": "401 401 401 404 401 200 401 401 200",
      "GET /phoneNumberInventory": "401 401 401 403 401 200 401 401 403",
      "GET /phoneNumberInventory/:phoneId/balances": "401 401 401 403 401 200 401 401 403",
      "GET /phoneNumberInventory/slot": "401 401 401 403 401 200 401 401 403",
      "GET /phoneNumberInventory/usage": "401 401 401 403 401 200 401 401 403",
      "GET /providers/lanes/:name": "404 404 404 404 404 404 404 404 404",
      "GET /qf/bookmarks": "401 401 401 403 401 200 401 401 403",
      "GET /qf/history": "401 401 401 403 401 200 401 401 403",
      "GET /qf/standing": "401 401 401 403 401 200 401 401 403",
      "GET /qf/withheld": "401 401 401 403 401 200 401 401 403",
      "GET /qf/zones": "401 401 401 403 401 200 401 401 403",
      "GET /report/advance": "401 401 401 403 401 200 401 401 403",
      "GET /report/device": "401 401 401 403 401 200 401 401 403",
      "GET /report/status": "401 401 401 403 401 200 401 401 403",
      "GET /startup": "200 200 200 200 200 200 200 200 200",
      "GET /translations": "200 200 200 200 200 200 200 200 200",
      "GET /unsubscribe/*": "404 404 404 404 404 404 404 404 404",
      "GET /uploads/:uploadId": "401 401 403 404 404 404 404 200 200",
      "GET /uploads/:uploadId/refused.csv": "401 401 403 404 404 404 404 404 404",
      "GET /whatsapp-agent/arena": "401 401 401 403 401 200 401 401 403",
      "POST /:channel/csvPreflight": "401 401 403 200 200 200 200 200 200",
      "POST /:channel/csvSend": "401 401 403 402 402 402 200 402 402",
      "POST /:channel/quote": "401 401 403 200 200 200 200 200 200",
      "POST /:channel/send": "401 401 403 402 402 402 200 402 402",
      "POST /:channel/sendMany": "401 401 403 200 200 200 200 200 200",
      "POST /account/:accountId/adjustment": "401 401 401 403 401 200 401 401 403",
      "POST /account/:accountId/close": "401 401 401 404 401 404 401 401 400",
      "POST /account/:accountId/confirmPassword": "401 401 401 404 401 404 401 401 400",
      "POST /account/:accountId/contacts": "401 401 401 404 401 404 401 401 200",
      "POST /account/:accountId/contacts/import": "401 401 401 404 401 404 401 401 200",
      "POST /account/:accountId/optOuts": "401 401 401 404 401 404 401 401 200",
      "POST /account/:accountId/optOuts/import": "401 401 401 404 401 404 401 401 200",
      "POST /account/:accountId/secret/rotate": "401 401 401 404 401 404 401 401 200",
      "POST /account/:accountId/senders": "401 401 401 404 401 404 401 401 200",
      "POST /account/:accountId/senders/:senderId/verify": "401 401 401 404 401 404 401 401 400",
      "POST /account/:accountId/webhook/events/:eventId/replay": "401 401 401 404 401 404 401 401 400",
      "POST /account/:accountId/webhook/replay": "401 401 401 404 401 404 401 401 400",
      "POST /account/:accountId/webhook/resume": "401 401 401 404 401 404 401 401 400",
      "POST /account/:accountId/webhook/rotate": "401 401 401 404 401 404 401 401 200",
      "POST /account/:accountId/webhook/test": "401 401 401 404 401 404 401 401 400",
      "POST /account/forgotPassword": "400 400 400 400 400 400 400 400 400",
      "POST /account/login": "400 400 400 400 400 400 400 400 400",
      "POST /account/logout": "401 401 401 200 401 200 401 401 200",
      "POST /account/register": "400 400 400 400 400 400 400 400 400",
      "POST /account/resetPassword": "400 400 400 400 400 400 400 400 400",
      "POST /activate": "400 400 400 400 400 400 400 400 400",
      "POST /admin/accounts/:accountId/activationMail": "401 401 401 403 401 409 401 401 403",
      "POST /admin/accounts/:accountId/approval": "401 401 401 403 401 200 401 401 403",
      "POST /admin/accounts/:accountId/suspension": "401 401 401 403 401 400 401 401 403",
      "POST /admin/accounts/:accountId/view": "401 401 401 403 401 400 401 401 403",
      "POST /admin/admins": "401 401 401 403 401 400 401 401 403",
      "POST /admin/agentKeys": "401 401 401 403 401 200 401 401 403",
      "POST /admin/agents/:agentId/movedSim": "401 401 401 403 401 400 401 401 403",
      "POST /admin/bulkActions": "401 401 401 403 401 400 401 401 403",
      "POST /admin/bulkActions/:actionId/stop": "401 401 401 403 401 400 401 401 403",
      "POST /admin/devices": "401 401 401 403 401 400 401 401 403",
      "POST /admin/inDoubt/ask": "401 401 401 403 401 400 401 401 403",
      "POST /admin/invitations": "401 401 401 403 401 200 401 401 403",
      "POST /admin/jobs/ticket": "401 401 401 403 401 200 401 401 403",
      "POST /admin/lanes": "401 401 401 403 401 400 401 401 403",
      "POST /admin/lanes/:laneId/mode": "401 401 401 403 401 400 401 401 403",
      "POST /admin/lanes/:laneId/test": "401 401 401 403 401 400 401 401 403",
      "POST /admin/payments/:paymentId/reconcile": "401 401 401 403 401 404 401 401 403",
      "POST /admin/payments/:paymentId/refund": "401 401 401 403 401 400 401 401 403",
      "POST /admin/prices": "401 401 401 403 401 200 401 401 403",
      "POST /admin/prices/:priceId/end": "401 401 401 403 401 404 401 401 403",
      "POST /admin/prices/import": "401 401 401 403 401 400 401 401 403",
      "POST /admin/senders": "401 401 401 403 401 404 401 401 403",
      "POST /batches/:batchId/cancel": "401 401 403 404 404 404 200 200 200",
      "POST /batches/:batchId/resend": "401 401 403 404 404 404 404 404 404",
      "POST /cards": "401 401 401 400 401 400 401 401 400",
      "POST /cards/:cardId/charge": "401 401 401 400 401 400 401 401 400",
      "POST /cards/intent": "401 401 401 200 401 200 401 401 200",
      "POST /devices/:deviceId/pairingCode": "401 401 401 400 401 400 401 401 400",
      "POST /devices/:deviceId/start": "401 401 401 404 401 404 401 401 409",
      "POST /devices/:deviceId/stop": "401 401 401 404 401 404 401 401 200",
      "POST /devices/create": "401 401 401 200 401 200 401 401 200",
      "POST /job/:jobId/transfer": "401 401 401 403 401 409 401 401 403",
      "POST /message/:jobId/failed": "401 401 401 403 401 404 401 401 403",
      "POST /message/:jobId/success": "401 401 401 403 401 404 401 401 403",
      "POST /messages/:messageId/cancel": "401 401 403 404 404 404 409 409 409",
      "POST /payments/:paymentId/refresh": "401 401 401 404 401 404 401 401 404",
      "POST /phoneNumberInventory": "401 401 401 403 401 400 401 401 403",
      "POST /providers/lanes/:name": "404 404 404 404 404 404 404 404 404",
      "POST /qf/merchants": "401 401 401 403 401 200 401 401 403",
      "POST /qf/sql_cancel": "401 401 401 403 401 200 401 401 403",
      "POST /qf/sql_database": "401 401 401 403 401 200 401 401 403",
      "POST /qf/sql_query": "401 401 401 403 401 200 401 401 403",
      "POST /qf/sql_tables": "401 401 401 403 401 200 401 401 403",
      "POST /unsubscribe/*": "404 404 404 404 404 404 404 404 404",
      "POST /uploads/:uploadId/send": "401 401 403 404 404 404 404 402 402",
      "POST /webhooks/sandbox": "400 400 400 400 400 400 400 400 400",
      "PUT /account/:accountId/contacts/:contactId": "401 401 401 404 401 404 401 401 200",
      "PUT /account/:accountId/paymentSetting": "401 401 401 404 401 404 401 401 200",
      "PUT /account/:accountId/setting": "401 401 401 404 401 404 401 401 200",
      "PUT /account/:accountId/webhook": "401 401 401 400 401 400 401 401 400",
      "PUT /admin/accounts/:accountId/limits": "401 401 401 403 401 200 401 401 403",
      "PUT /admin/admins/:accountId": "401 401 401 403 401 400 401 401 403",
      "PUT /admin/agents/:agentId": "401 401 401 403 401 400 401 401 403",
      "PUT /admin/carrierPrefixes": "401 401 401 403 401 400 401 401 403",
      "PUT /admin/lanes/:laneId": "401 401 401 403 401 200 401 401 403",
      "PUT /admin/routes": "401 401 401 403 401 400 401 401 403",
      "PUT /cards/:cardId": "401 401 401 400 401 400 401 401 400",
      "PUT /phoneNumberInventory/:phoneId": "401 401 401 403 401 400 401 401 403",
      "PUT /qf/bookmarks/:bookmarkId": "401 401 401 403 401 200 401 401 403",
    }
  `);
});
