import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type GuardedRoom, type RoomDeps, routeTable } from '../server/http/index.ts';
import { openDatabase } from '../server/postgres/index.ts';
import { anything } from './anything.ts';
import { callApi, mailedToken } from './api.ts';
import { emptyDatabase } from './database.ts';
import { type Program, startProgram } from './program.ts';

/** The table alone: what its rooms need is not called. */
const table: GuardedRoom[] = routeTable(
  Object.assign(Object.create(anything), {
    wallet: { processor: { name: 'sandbox' } },
    mailbox: { folder: '' },
    providers: {
      receiver: anything,
      webhooks: [{ path: 'lanes/:name', methods: ['GET', 'POST'], handle: anything }],
    },
  }) as RoomDeps,
);

interface Endpoint {
  name: string;
  method: string;
  path: string;
  guard: string;
  upload: boolean;
}
const endpoints: Endpoint[] = table.flatMap(({ guard, ...kinds }) =>
  Object.entries(kinds).flatMap(([kind, routes]) =>
    Object.keys(routes).map((name) => {
      const [method = '', path = ''] = name.split(' ');
      return {
        name,
        method,
        guard,
        upload: kind === 'uploads',
        path: kind === 'pages' ? path : `/api${path}`,
      };
    }),
  ),
);

const PASSWORD = 'correct horse battery';
let program: Program;
/** Who asks, with what they say who they are by; the owner of what is asked for comes last. */
const identities = new Map<string, string>();
const params: Record<string, string> = {};
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
  const { pool, close } = openDatabase({ url: database.url, max: 1, onError: () => {} });
  undo.push(close);

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
  const contact = await callApi(program.url, 'POST /account/:accountId/contacts', {
    ...own,
    body: { phone: '+85261112222' },
  });
  const checked = (await (await upload('/api/sms/csvPreflight', owner.token)).json()) as { _id: string };
  Object.assign(params, {
    channel: 'sms',
    accountId: owner.accountId,
    messageId: sent.reply._id,
    batchId: sent.reply.batchId,
    contactId: contact.reply.contact._id,
    uploadId: checked._id,
    mailId: 'none.eml',
    laneId: '1',
    name: 'none',
    '*': 'nothing',
  });
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
  'POST /account/:accountId/adjustment': { amount: 1, reason: 'a test' },
  'POST /:channel/send': { phone: '+85261112222', message: 'hello' },
  'POST /:channel/sendMany': { messages: [{ phone: '+85261112222', message: 'hello' }] },
  'POST /:channel/quote': { message: 'hello' },
};

const statusOf = async ({ name, method, path, upload: isUpload }: Endpoint, authorization: string) => {
  const filled = path.replace(/:(\w+)|\*/g, (_, key: string) => params[key ?? '*'] ?? NOBODY);
  if (isUpload) return (await upload(filled, authorization)).status;
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
    if (guard !== 'admin' && /:(accountId|messageId|batchId|uploadId)/.test(path))
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
      "DELETE /admin/lanes/:laneId": "401 401 401 403 401 409 401 401 403",
      "DELETE /cards/:cardId": "401 401 401 400 401 400 401 401 400",
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
      "GET /account/:accountId/statement.pdf": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/webhook": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/webhook/events": "401 401 401 404 401 404 401 401 200",
      "GET /account/:accountId/webhook/events/:eventId": "401 401 401 404 401 404 401 401 404",
      "GET /account/me/profile": "401 401 401 200 401 200 401 401 200",
      "GET /accounts": "401 401 401 403 401 200 401 401 403",
      "GET /admin/carrierPrefixes": "401 401 401 403 401 200 401 401 403",
      "GET /admin/lanes": "401 401 401 403 401 200 401 401 403",
      "GET /admin/retention": "401 401 401 403 401 200 401 401 403",
      "GET /batches/:batchId": "401 401 403 404 404 404 200 200 200",
      "GET /batches/:batchId/failed.csv": "401 401 403 404 404 404 200 200 200",
      "GET /cards": "401 401 401 200 401 200 401 401 200",
      "GET /job/:jobId/transferPreview": "401 401 401 403 401 404 401 401 403",
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
      "GET /startup": "200 200 200 200 200 200 200 200 200",
      "GET /translations": "200 200 200 200 200 200 200 200 200",
      "GET /unsubscribe/*": "404 404 404 404 404 404 404 404 404",
      "GET /uploads/:uploadId": "401 401 403 404 404 404 404 200 200",
      "GET /uploads/:uploadId/refused.csv": "401 401 403 404 404 404 404 404 404",
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
      "POST /admin/lanes": "401 401 401 403 401 400 401 401 403",
      "POST /admin/lanes/:laneId/mode": "401 401 401 403 401 400 401 401 403",
      "POST /admin/messages/transfer": "401 401 401 403 401 400 401 401 403",
      "POST /batches/:batchId/cancel": "401 401 403 404 404 404 200 200 200",
      "POST /batches/:batchId/resend": "401 401 403 404 404 404 404 404 404",
      "POST /cards": "401 401 401 400 401 400 401 401 400",
      "POST /cards/:cardId/charge": "401 401 401 400 401 400 401 401 400",
      "POST /cards/intent": "401 401 401 200 401 200 401 401 200",
      "POST /job/:jobId/transfer": "401 401 401 403 401 409 401 401 403",
      "POST /messages/:messageId/cancel": "401 401 403 404 404 404 409 409 409",
      "POST /payments/:paymentId/refresh": "401 401 401 404 401 404 401 401 404",
      "POST /phoneNumberInventory": "401 401 401 403 401 400 401 401 403",
      "POST /providers/lanes/:name": "404 404 404 404 404 404 404 404 404",
      "POST /unsubscribe/*": "404 404 404 404 404 404 404 404 404",
      "POST /uploads/:uploadId/send": "401 401 403 404 404 404 404 402 402",
      "POST /webhooks/sandbox": "400 400 400 400 400 400 400 400 400",
      "PUT /account/:accountId/contacts/:contactId": "401 401 401 404 401 404 401 401 200",
      "PUT /account/:accountId/paymentSetting": "401 401 401 404 401 404 401 401 200",
      "PUT /account/:accountId/setting": "401 401 401 404 401 404 401 401 200",
      "PUT /account/:accountId/webhook": "401 401 401 400 401 400 401 401 400",
      "PUT /admin/carrierPrefixes": "401 401 401 403 401 400 401 401 403",
      "PUT /admin/lanes/:laneId": "401 401 401 403 401 200 401 401 403",
      "PUT /cards/:cardId": "401 401 401 400 401 400 401 401 400",
      "PUT /phoneNumberInventory/:phoneId": "401 401 401 403 401 400 401 401 403",
    }
  `);
});
