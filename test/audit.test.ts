import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { ADMIN_ROLES, type AdminRole } from '../contract/customer/admin-roles.ts';
import { type Database, openDatabase } from '../server/ground/postgres/index.ts';
import { callApi, mailedToken } from './api.ts';
import { emptyDatabase } from './database.ts';
import { type Program, ROOT, startProgram } from './program.ts';
import { listEndpoints } from './webhooks/endpoints.ts';

const endpoints = listEndpoints().filter(({ guard }) => guard === 'admin');
const writes = endpoints.filter(({ method }) => method !== 'GET');

const PASSWORD = 'correct horse battery';
let program: Program;
let pool: Database['pool'];
const undo: (() => Promise<unknown>)[] = [];
const params: Record<string, string> = {};
let admin: { email: string; token: string; accountId: string };
let settings: Record<string, string>;

const newAccount = async (name: string, { active = true } = {}) => {
  const email = `${name}@example.com`;
  await callApi(program.url, 'POST /account/register', { body: { email, password: PASSWORD } });
  const token = await mailedToken(program.url, email);
  if (!active) return { email, token: '', accountId: '' };
  return { email, ...(await callApi(program.url, 'POST /activate', { body: { token } })).reply };
};
const idOf = async (email: string): Promise<string> =>
  (await pool.query('select id from accounts where email = $1', [email])).rows[0].id;
const newAdmin = async (role: AdminRole) => {
  const account = await newAccount(`the-${role}`);
  await pool.query('update accounts set admin = true, admin_role = $2 where id = $1', [
    account.accountId,
    role,
  ]);
  return account;
};

const post = async (token: string, path: string, body: object = {}) => {
  const answer = await fetch(`${program.url}/api${path}`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(body),
  });
  return { status: answer.status, reply: await answer.json() };
};

beforeAll(async () => {
  const database = await emptyDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-audit-'));
  undo.push(() => rm(folder, { recursive: true, force: true }), database.drop);
  const env = {
    DATABASE_URL: database.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    LIMITS_FACTOR: '1000',
    // Nobody is there.
    WHATSAPP_CLOUD_API_BASE: 'http://127.0.0.1:9',
  };
  settings = { ...env, DATA_DIR: join(folder, 'data') };
  program = await startProgram({ dataDir: settings.DATA_DIR ?? '', env });
  undo.push(program.stop);
  const opened = openDatabase({ url: database.url, max: 1, onError: () => {} });
  pool = opened.pool;
  undo.push(opened.close);
  admin = await newAdmin('owner');
  // The query service starts after the program.
  await vi.waitFor(
    async () => expect((await callApi(program.url, 'GET /qf/zones', admin)).status).toBe(200),
    { timeout: 60_000, interval: 100 },
  );
  const customer = await newAccount('customer');
  const colleague = await newAccount('colleague');
  await newAccount('late', { active: false });
  const { reply: intent } = await post(customer.token, '/cards/intent');
  const { reply: confirmed } = await post(customer.token, '/sandbox/cards/confirm', {
    client_secret: intent.client_secret,
    number: '4242424242424242',
    exp_month: 12,
    exp_year: new Date().getFullYear() + 4,
    cvc: '123',
  });
  const { reply: added } = await post(customer.token, '/cards', { auth: confirmed.auth });
  const { reply: paid } = await post(customer.token, `/cards/${added.card._id}/charge`, {
    amount: 20,
  });
  const { reply: sent } = await post(customer.token, '/sms/send', {
    phone: '+85261112222',
    message: 'hello',
  });
  const simulators = await pool.query(
    "select id from lanes where channel = 'sms' and simulated order by id limit 1",
  );
  Object.assign(params, {
    accountId: customer.accountId,
    colleagueId: colleague.accountId,
    lateId: await idOf('late@example.com'),
    paymentId: paid.payment._id,
    jobId: sent._id,
    bookmarkId: '1700000000000',
    agentId: randomUUID(),
    waitingId: randomUUID(),
    simulatorId: String(simulators.rows[0].id),
  });
  await pool.query(
    `insert into agents (id, name, version, secret_hash) values ($1, 'shelf', '1.0.0', sha256('x'))`,
    [params.agentId],
  );
  await pool.query(
    `insert into query_withheld_turns (account_id, until) values ($1, now() + interval '1 hour')`,
    [params.colleagueId],
  );
  // A SIM of an agent that another one says to have.
  await pool.query(
    `with cellar as (
      insert into agents (id, name, version, secret_hash) values (gen_random_uuid(), 'cellar', '1.0.0', sha256('y'))
      returning id
    ), phone as (
      insert into phones (id, name, imsi, agent_id) select gen_random_uuid(), 'moved', '454000000000001', id from cellar
      returning id
    )
    insert into agent_modems (agent_id, name, driver, imsi, moved_phone_id, moved_at)
    select $1, 'm1', 'serial', '454000000000001', id, now() from phone`,
    [params.agentId],
  );
  // It waits in a lane that nobody serves.
  await pool.query(
    `with shelf as (
      insert into lanes (name, channel, provider, simulated) values ('shelf', 'sms', 'simulator', true) returning id
    )
    insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, country, message,
      test, created_at, updated_at)
    select $1, $2, id, 'sms', 'outgoing', 'PENDING', '+85261112222', '+85261112222', 'HK', 'hello', true, now(), now()
    from shelf`,
    [params.waitingId, params.accountId],
  );
});
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

const SECRET = 'hunter2-hunter2';

interface Write {
  body?: () => object;
  /** Takes of the answer what later writes need. */
  keep?: (reply: Record<string, unknown>) => Record<string, unknown>;
  params?: () => Record<string, string | undefined>;
  /** It only asks. */
  asks?: true;
}
const query = { zone_id: 1, database: 'none' };

/** Each write of an admin, in an order in which each has something to change. */
const WRITES: Record<string, Write> = {
  'POST /admin/invitations': {
    body: () => ({ email: 'guest@example.com' }),
    keep: ({ invitationId }) => ({ invitationId }),
  },
  'DELETE /admin/invitations/:invitationId': {},
  'POST /account/:accountId/adjustment': { body: () => ({ amount: 5, reason: 'goodwill' }) },
  'PUT /admin/accounts/:accountId/limits': { body: () => ({ spendPerDay: 50 }) },
  'POST /admin/accounts/:accountId/approval': { body: () => ({ approved: true }) },
  'POST /admin/accounts/:accountId/suspension': { body: () => ({ reason: 'spam' }) },
  'DELETE /admin/accounts/:accountId/suspension': {},
  'POST /admin/accounts/:accountId/activationMail': { params: () => ({ accountId: params.lateId }) },
  'POST /admin/accounts/:accountId/view': { body: () => ({ reason: 'a question', password: PASSWORD }) },
  'POST /admin/admins': { body: () => ({ email: 'colleague@example.com', role: 'support' }) },
  'PUT /admin/admins/:accountId': {
    params: () => ({ accountId: params.colleagueId }),
    body: () => ({ role: 'finance' }),
  },
  'DELETE /admin/admins/:accountId': { params: () => ({ accountId: params.colleagueId }) },
  'POST /admin/prices': {
    body: () => ({ channel: 'sms', country: 'GB', unitPrice: '0.05' }),
    keep: ({ begins }) => ({ priceId: (begins as { priceId: number }).priceId }),
  },
  'POST /admin/prices/:priceId/end': { body: () => ({}) },
  'POST /admin/prices/import': {
    body: () => ({ csv: 'channel,country,unitPrice\nsms,FR,0.06\n', preview: false }),
  },
  'POST /admin/lanes': {
    body: () => ({
      name: 'made',
      provider: 'twilio',
      settings: {
        TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000000',
        TWILIO_AUTH_TOKEN: SECRET,
        TWILIO_FROM: '+15005550006',
      },
    }),
    keep: ({ laneId }) => ({ laneId }),
  },
  'PUT /admin/lanes/:laneId': { body: () => ({ preference: 55, settings: { TWILIO_AUTH_TOKEN: SECRET } }) },
  'POST /admin/lanes/:laneId/mode': { body: () => ({ mode: 'paused' }) },
  'POST /admin/lanes/:laneId/test': {
    params: () => ({ laneId: params.simulatorId }),
    body: () => ({ phone: '+85261112222', message: 'is it up?' }),
  },
  'DELETE /admin/lanes/:laneId': {},
  'PUT /admin/routes': { body: () => ({ name: 'marketing', policy: 'spread' }) },
  'POST /admin/payments/:paymentId/reconcile': {},
  'POST /admin/payments/:paymentId/refund': {
    body: () => ({ amount: 1, reason: 'a mistake', password: PASSWORD }),
  },
  // It was sent at once.
  'POST /message/:jobId/success': {},
  'POST /message/:jobId/failed': { body: () => ({}) },
  'POST /admin/bulkActions': {
    body: () => ({ action: 'SUCCESS', ids: [params.jobId] }),
    keep: ({ action }) => ({ actionId: (action as { _id: string })._id }),
  },
  'POST /admin/bulkActions/:actionId/stop': {},
  'POST /admin/inDoubt/ask': { body: () => ({ ids: [params.jobId] }) },
  'POST /admin/jobs/ticket': { asks: true },
  'POST /job/:jobId/transfer': { params: () => ({ jobId: params.waitingId }) },
  'POST /admin/senders': {
    body: () => ({ accountId: params.accountId, channel: 'sms', sender: 'Shop' }),
    keep: ({ sender }) => ({ senderId: (sender as { _id: string })._id }),
  },
  'DELETE /admin/senders/:senderId': {},
  'POST /phoneNumberInventory': {
    body: () => ({ name: 'hk-1' }),
    keep: ({ _id }) => ({ phoneId: _id }),
  },
  'POST /admin/agentKeys': {},
  'PUT /admin/agents/:agentId': { body: () => ({ heartbeatSeconds: 30 }) },
  'POST /admin/agents/:agentId/movedSim': { body: () => ({ modem: 'm1' }) },
  'DELETE /admin/agents/:agentId': {},
  'POST /admin/devices': {
    body: () => ({
      accountId: params.accountId,
      countryCode: 'HK',
      phoneNumber: '+85261119999',
      settings: {
        WHATSAPP_CLOUD_PHONE_NUMBER_ID: '100200300',
        WHATSAPP_CLOUD_TOKEN: SECRET,
        WHATSAPP_CLOUD_APP_SECRET: SECRET,
        WHATSAPP_CLOUD_VERIFY_TOKEN: SECRET,
        WHATSAPP_CLOUD_WABA_ID: '400500600',
      },
    }),
  },
  'PUT /phoneNumberInventory/:phoneId': { body: () => ({ remark: 'on the shelf' }) },
  'PUT /admin/carrierPrefixes': { body: () => ({ prefixes: [{ prefix: '+8526111', carrierName: 'csl' }] }) },
  'POST /qf/sql_database': { body: () => ({ zone_id: 1 }), asks: true },
  'POST /qf/sql_query': { body: () => ({ ...query, sql: `select '${SECRET}'` }), asks: true },
  'POST /qf/sql_tables': { body: () => query, asks: true },
  'POST /qf/merchants': { body: () => ({ ...query, term: 'none' }), asks: true },
  'POST /qf/sql_cancel': { asks: true },
  'PUT /qf/bookmarks/:bookmarkId': {
    body: () => ({ query: `select '${SECRET}'`, database: 'none', zone_id: 1, shared: true }),
  },
  'DELETE /qf/bookmarks/:bookmarkId': {},
  'DELETE /qf/bookmarks': {},
  'DELETE /qf/withheld/:accountId': { params: () => ({ accountId: params.colleagueId }) },
};

/** What they put was not there before. */
const NEW = new Set(['PUT /qf/bookmarks/:bookmarkId']);

const fill = (path: string, values: Record<string, string | undefined>) =>
  path.replace(/:(\w+)/g, (_, key: string) => values[key] ?? randomUUID());

const call = (method: string, path: string, { token, body }: { token: string; body?: object }) =>
  fetch(program.url + path, {
    method,
    headers: {
      authorization: token,
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
      'idempotency-key': randomUUID(),
    },
    ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
  });

test('every write of an admin is in the audit log, with what it changed and without secrets', async () => {
  const missing = writes
    .map(({ name }) => name)
    .filter((name) => !WRITES[name])
    .map(
      (name) => `${name}: make this write in WRITES of test/audit.test.ts, so that it is found in the log`,
    );
  expect(missing).toEqual([]);
  const known = new Map(writes.map((endpoint) => [endpoint.name, endpoint]));
  for (const [name, write] of Object.entries(WRITES)) {
    const endpoint = known.get(name);
    if (!endpoint) throw new Error(`there is no ${name}`);
    const path = fill(endpoint.path, { ...params, ...write.params?.() });
    const answer = await call(endpoint.method, path, { token: admin.token, body: write.body?.() });
    const reply = await answer.json();
    expect(answer.status < 300 ? undefined : reply.code, name).toBe(undefined);
    for (const [key, value] of Object.entries(write.keep?.(reply) ?? {})) params[key] = String(value);
    const { rows } = await pool.query(
      `select a.admin_id, a.call, a.address, e.event, e.before, e.after from audit_entries a
       left join audit_entries e on e.asked_id = a.id where a.event = 'asked' order by a.id desc limit 1`,
    );
    expect(rows[0], name).toMatchObject({
      admin_id: admin.accountId,
      call: name,
      address: '127.0.0.1',
      event: 'done',
    });
    if (!write.asks)
      expect(
        Object.keys({ ...rows[0].before, ...rows[0].after }),
        `${name}: its handler says what it changed by changed({ before, after })`,
      ).not.toEqual([]);
    if (['PUT', 'DELETE'].includes(endpoint.method) && !NEW.has(name))
      expect(rows[0].before, `${name}: its handler says what it was before`).toBeTruthy();
  }
  // What was asked of the query tool is found from its entry, whoever asks what at the same moment.
  const { rows: queries } = await pool.query(
    `select a.call, q.account_id, q.sql from audit_entries a join queries q on q.entry_id = a.id
     where a.event = 'asked' order by a.id`,
  );
  expect(queries).toEqual([
    { call: 'POST /qf/sql_query', account_id: admin.accountId, sql: `select '${SECRET}'` },
    { call: 'POST /qf/merchants', account_id: admin.accountId, sql: '-- merchant lookup: none' },
  ]);
  const { rows } = await pool.query('select a::text as text from audit_entries a');
  const kept = rows.map(({ text }) => text).join('\n');
  expect(kept).not.toContain(SECRET);
  expect(kept).not.toContain(PASSWORD);
  const verified = await callApi(program.url, 'GET /admin/audit/verification', admin);
  expect(verified.reply).toMatchObject({ fault: null });
});

test('an entry says who, what, whose, before and after; it is found and exported', async () => {
  const audit = async (search: string) => {
    const answer = await call('GET', `/api/admin/audit?${search}`, admin);
    return (await answer.json()) as { entries: Record<string, unknown>[]; more: boolean };
  };
  const { entries } = await audit(`who=the-owner&kind=write&call=suspension&accountId=${params.accountId}`);
  expect(entries).toMatchObject([
    {
      call: 'DELETE /admin/accounts/:accountId/suspension',
      before: { reason: 'spam' },
      after: { reason: '' },
    },
    {
      call: 'POST /admin/accounts/:accountId/suspension',
      admin: { email: 'the-owner@example.com' },
      account: { email: 'customer@example.com' },
      asked: { reason: 'spam' },
      outcome: 'done',
    },
  ]);
  expect((await audit(`subject=${params.phoneId}`)).entries).toHaveLength(2);
  expect((await audit('dateTo=2020-01-01')).entries).toEqual([]);
  const page = await audit('limit=2');
  expect(page).toMatchObject({ more: true });
  const csv = await (await call('GET', '/api/admin/audit.csv?kind=write', admin)).text();
  expect(csv.trimEnd().split('\r\n').length).toBeGreaterThan(Object.keys(WRITES).length);
  expect(csv).toContain('the-owner@example.com');
});

test('each role may call what the route table says, and nothing else', async () => {
  const faults: string[] = [];
  for (const role of ADMIN_ROLES.filter((one) => one !== 'owner')) {
    const { token } = await newAdmin(role);
    const tryOne = async ({ name, method, path, roles }: (typeof endpoints)[number]) => {
      const isMeant = roles?.includes(role) === true;
      let status = 503;
      // A busy program refuses files before it asks who wants them.
      for (let tries = 0; status === 503 && tries < 100; tries += 1) {
        if (tries > 0) await new Promise((resolve) => setTimeout(resolve, 200));
        status = (await call(method, fill(path, {}), { token })).status;
        if (isMeant) break;
      }
      if ((status === 403) === isMeant) faults.push(`${role}: ${name}: ${status}`);
    };
    await Promise.all(endpoints.map(tryOne));
  }
  expect(faults).toEqual([]);
});

test('an admin without the role sees only their own messages', async () => {
  const seen = async (email: string) => {
    const { reply } = await callApi(program.url, 'POST /account/login', {
      body: { email, password: PASSWORD },
    });
    const list = `/api/account/${reply.accountId}/messages?limit=5`;
    return (await (await call('GET', list, reply)).json()) as { total: number };
  };
  expect((await seen('the-support@example.com')).total).toBeGreaterThan(0);
  expect((await seen('the-finance@example.com')).total).toBe(0);
});

test('an admin who sees an account as its owner does changes nothing unless it was confirmed', async () => {
  const at = `/api/admin/accounts/${params.accountId}/view`;
  const begin = async (body: object) => {
    const answer = await call('POST', at, { token: admin.token, body });
    return (await answer.json()) as { token: string; mayChange: boolean };
  };
  const looking = await begin({ reason: 'a question' });
  expect(looking.mayChange).toBe(false);
  const profile = await callApi(program.url, 'GET /account/me/profile', looking);
  expect(profile.reply).toMatchObject({
    _id: params.accountId,
    admin: false,
    view: { mayChange: false },
  });
  const own = { params: { accountId: params.accountId ?? '' } };
  const setting = { ...own, body: { receiveEmail: false } };
  const change = (token: string) =>
    callApi(program.url, 'PUT /account/:accountId/setting', { ...setting, token });
  expect((await change(looking.token)).error.code).toBe('E_VIEW_ONLY');
  const message = { phone: '+85261112222', message: 'hello' };
  expect((await post(looking.token, '/sms/send', message)).reply.code).toBe('E_VIEW_ONLY');
  expect((await callApi(program.url, 'GET /accounts', looking)).status).toBe(403);
  const info = await callApi(program.url, 'GET /account/:accountId/apiInfo', {
    ...own,
    token: looking.token,
  });
  expect(info.reply.secret).not.toMatch(/^[\w-]{20,}$/);

  const changing = await begin({ reason: 'asked by phone', password: PASSWORD });
  expect((await change(changing.token)).status).toBe(200);
  for (const [path, body] of [
    [`/account/${params.accountId}/secret/rotate`, { test: true }],
    ['/sandbox/payments/authenticate', { client_secret: 'x', approve: true }],
  ] as const)
    expect((await post(changing.token, path, body)).reply.code, path).toBe('E_VIEW_NEVER');
  const { rows } = await pool.query(
    `select event, call from audit_entries where admin_id = $1 and account_id = $2 and event in ('read', 'done')
     and call in ('GET /account/me/profile', 'PUT /account/:accountId/setting') order by id`,
    [admin.accountId, params.accountId],
  );
  expect(rows).toEqual([
    { event: 'read', call: 'GET /account/me/profile' },
    { event: 'done', call: 'PUT /account/:accountId/setting' },
  ]);

  const { reply } = await callApi(program.url, 'POST /account/login', {
    body: { email: 'customer@example.com', password: PASSWORD },
  });
  const visits = await callApi(program.url, 'GET /account/:accountId/visits', { ...own, token: reply.token });
  expect(visits.reply.visits.slice(0, 2)).toMatchObject([
    { reason: 'asked by phone', mayChange: true },
    { reason: 'a question', mayChange: false },
  ]);
  const ofAdmin = await post(admin.token, `/admin/accounts/${admin.accountId}/view`, { reason: 'me' });
  expect(ofAdmin.reply.code).toBe('E_VIEW_ADMIN');
  // Who is an admin no more sees nothing any more.
  await pool.query('update sessions set expires_at = now() where viewer_may_change');
  expect((await callApi(program.url, 'GET /account/me/profile', changing)).status).toBe(401);
  await pool.query('update accounts set admin = false where id = $1', [admin.accountId]);
  expect((await callApi(program.url, 'GET /account/me/profile', looking)).status).toBe(401);
  await pool.query('update accounts set admin = true where id = $1', [admin.accountId]);
});

/** Their writes name an account, and decide nothing about it that an admin could want for themselves. */
const FOR_ONESELF = new Set([
  // Only owners make them, and they are above all.
  'PUT /admin/admins/:accountId',
  'DELETE /admin/admins/:accountId',
  // Refused for every admin's account, and a mail that activates nothing by itself.
  'POST /admin/accounts/:accountId/view',
  'POST /admin/accounts/:accountId/activationMail',
  // It looks for messages by it: each is judged by itself.
  'POST /admin/bulkActions',
  // A number that is the customer's own has to be paired by them.
  'POST /admin/devices',
]);
const schemaOf = (body: (typeof writes)[number]['body']): string =>
  body ? JSON.stringify(z.toJSONSchema(body, { unrepresentable: 'any', io: 'input' })) : '';
const names = ({ path, body }: (typeof writes)[number]): boolean =>
  path.includes(':accountId') || schemaOf(body).includes('"accountId"');
const deciding = writes.filter((write) => names(write) && !FOR_ONESELF.has(write.name));
const decide = async (token: string, { name, method, path }: (typeof writes)[number], accountId: string) => {
  const body = WRITES[name]?.body?.() ?? {};
  const named = 'accountId' in body ? { ...body, accountId } : body;
  return (await call(method, fill(path, { ...params, accountId }), { token, body: named })).json();
};

test('nobody decides about their own account, by any call that names one, and the log has the attempt', async () => {
  expect(deciding.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['PUT /admin/accounts/:accountId/limits', 'POST /admin/senders']),
  );
  for (const write of deciding) {
    expect((await decide(admin.token, write, admin.accountId)).code, write.name).toBe('E_OWN_ACCOUNT');
    const { rows } = await pool.query(
      `select e.after from audit_entries a join audit_entries e on e.asked_id = a.id
       where a.call = $1 and a.account_id = $2 and e.event = 'refused'`,
      [write.name, admin.accountId],
    );
    expect(rows, write.name).toEqual([{ after: { code: 'E_OWN_ACCOUNT' } }]);
    const inCapitals = await decide(admin.token, write, admin.accountId.toUpperCase());
    expect(inCapitals.code, write.name).toBe('E_OWN_ACCOUNT');
  }
  const { rows } = await pool.query('select approved_at, suspended_at from wallets where account_id = $1', [
    admin.accountId,
  ]);
  expect(rows).toEqual([{ approved_at: null, suspended_at: null }]);
});

test("support and finance decide nothing about an owner's account, and owners do", async () => {
  const owner = await newAccount('second-owner');
  await pool.query(`update accounts set admin = true, admin_role = 'owner' where id = $1`, [owner.accountId]);
  const signIn = async (name: string) => {
    const body = { email: `${name}@example.com`, password: PASSWORD };
    return (await callApi(program.url, 'POST /account/login', { body })).reply;
  };
  const [support, finance] = [await signIn('the-support'), await signIn('the-finance')];
  for (const write of deciding)
    for (const [role, { token }] of Object.entries({ support, finance }))
      if (write.roles?.includes(role as AdminRole))
        expect((await decide(token, write, owner.accountId)).code, `${write.name} ${role}`).toBe(
          'E_ADMIN_ABOVE',
        );
  const { reply } = await post(owner.token, `/admin/accounts/${support.accountId}/suspension`, {
    reason: 'gone',
  });
  expect(reply.code).toBe(undefined);
});

test('a message of their own is not failed, and so refunded, by an admin, one by one or in bulk', async () => {
  const own = randomUUID();
  await pool.query(
    `insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, country, message,
      test, created_at, updated_at)
    select $1, $2, lane_id, channel, type, 'PENDING', recipient_raw, recipient, country, message, test, now(), now()
    from messages where id = $3`,
    [own, admin.accountId, params.waitingId],
  );
  const one = await post(admin.token, `/message/${own}/failed`, { reason: '', errorCode: '' });
  expect(one.reply.code).toBe('E_OWN_MESSAGE');
  const { reply } = await post(admin.token, '/admin/bulkActions', { action: 'FAILED', ids: [own] });
  await vi.waitFor(async () => {
    const { rows } = await pool.query(
      'select outcome, reason from bulk_action_items where message_id = $1 and action_id = $2',
      [own, reply.action._id],
    );
    expect(rows).toMatchObject([{ outcome: 'refused', reason: { label: 'error.E_OWN_MESSAGE' } }]);
  }, 30_000);
});

test('what nobody may do for themselves is done on the server, and is in the audit log', async () => {
  const run = (...given: string[]) =>
    promisify(execFile)(process.execPath, ['server/commands/change-account.ts', ...given], {
      cwd: ROOT,
      env: { ...process.env, ...settings },
    });
  await run(admin.email, 'approve', 'there is one owner');
  await run(admin.email, 'credit', '7.50', 'for tests of ours');
  await run(admin.email, 'spend-per-day', '200', 'a campaign');
  await expect(run(admin.email, 'credit', '=1', 'no')).rejects.toThrow(/amount/i);
  await expect(run(admin.email, 'promote', 'no')).rejects.toThrow('Say whose account');
  await expect(run('nobody@example.com', 'approve', 'no')).rejects.toThrow('has no account');
  const { rows } = await pool.query(
    'select approved_at is not null as approved, day_limit_micros from wallets where account_id = $1',
    [admin.accountId],
  );
  expect(rows).toEqual([{ approved: true, day_limit_micros: 200_000_000n }]);
  const log = await (
    await call('GET', '/api/admin/audit?call=change-account', { token: admin.token })
  ).json();
  expect(
    (log.entries as { outcome: string; admin: { email: string }; address: string }[]).map(
      ({ outcome, admin: who, address }) => [outcome, who.email, address.includes('@')],
    ),
  ).toEqual([
    ['refused', 'a command on the server', true],
    ['done', 'a command on the server', true],
    ['done', 'a command on the server', true],
    ['done', 'a command on the server', true],
  ]);
});
