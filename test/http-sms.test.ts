import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { AccountId } from '../contract/customer/accounts.ts';
import { findContact } from '../server/customer/accounts/index.ts';
import { adjust } from '../server/customer/wallet/index.ts';
import { type Database, openDatabase } from '../server/ground/postgres/index.ts';
import { callApi, mailedToken } from './api.ts';
import { emptyDatabase } from './database.ts';
import { type Gateway, jsonStyle, startGateway } from './emulators/sms-gateways.ts';
import { startTwilio, type Twilio, type TwilioAccount } from './emulators/twilio.ts';
import { freePort, launchProgram, type Program, ROOT, startProgram } from './program.ts';

const hex = () => randomBytes(16).toString('hex');
const OWN_NUMBER = '+15005550006';
const account: TwilioAccount = {
  sid: `AC${hex()}`,
  token: hex(),
  keys: [],
  numbers: [OWN_NUMBER],
  messagingServices: [],
};

let twilio: Twilio;
let gateway: Gateway;
let web: Program;
let database: Database;
let folder: string;
let session: { token: string; accountId: AccountId };
const undo: (() => Promise<unknown>)[] = [];

const newSession = async () => {
  const person = { email: `${hex()}@example.com`, password: 'correct horse battery' };
  await callApi(web.url, 'POST /account/register', { body: person });
  const { reply } = await callApi(web.url, 'POST /activate', {
    body: { token: await mailedToken(web.url, person.email) },
  });
  const { reply: profile } = await callApi(web.url, 'GET /account/me/profile', { token: reply.token });
  const accountId = profile._id as AccountId;
  const { db } = database;
  const deps = { db, queue: { send: async () => {} }, contactOf: (id: AccountId) => findContact(db, id) };
  const money = { accountId, amount: 10, reason: 'for the test', by: accountId, idempotencyKey: undefined };
  await adjust(deps, money);
  return { token: reply.token, accountId };
};

beforeAll(async () => {
  [twilio, gateway] = await Promise.all([startTwilio(account), startGateway(jsonStyle)]);
  const own = await emptyDatabase();
  folder = await mkdtemp(join(tmpdir(), 'posthorn-http-sms-'));
  const template = await readFile(join(ROOT, 'docs/http-sms/json-api.json'), 'utf8');
  await writeFile(
    join(folder, 'json-api.json'),
    template.replace('https://api.provider.example', gateway.url),
  );
  const port = String(await freePort());
  const env = {
    DATABASE_URL: own.url,
    SECRET_KEY: hex() + hex(),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    TWILIO_ACCOUNT_SID: account.sid,
    TWILIO_AUTH_TOKEN: account.token,
    TWILIO_FROM: OWN_NUMBER,
    TWILIO_API_BASE: twilio.url,
    HTTP_SMS_PROVIDERS: folder,
    SMS_ROUTE: 'twilio,json-api',
    ...jsonStyle.env,
  };
  const dataDir = join(folder, 'data');
  // Providers' reports reach the web process, and another process sends.
  web = await startProgram({ dataDir, env: { ...env, PORT: port }, args: ['--roles', 'web'] });
  const worker = await startProgram({ dataDir, env, args: ['--roles', 'worker'] });
  database = openDatabase({ url: own.url, max: 2, onError: () => {} });
  undo.push(
    () => Promise.all([web.stop(), worker.stop()]),
    () => database.close(),
    own.drop,
    () => Promise.all([twilio.close(), gateway.close(), rm(folder, { recursive: true, force: true })]),
  );
  session = await newSession();
});
afterAll(async () => {
  for (const step of undo) await step();
});

const send = async (phone: string, message: string) => {
  const { status, reply } = await callApi(web.url, 'POST /:channel/send', {
    params: { channel: 'sms' },
    token: session.token,
    body: { phone, message },
  });
  expect(status).toBe(200);
  return reply._id;
};
const read = async (id: string) => {
  const { rows } = await sql<{ status: string; lane: string; delivered: boolean; code: string }>`
    select m.status, l.name as lane, delivered_at is not null as delivered, error_code as code
    from messages m join lanes l on l.id = m.lane_id where m.id = ${id}`.execute(database.db);
  return rows[0];
};
const becomes = (id: string, expected: object) =>
  vi.waitFor(async () => expect(await read(id)).toMatchObject(expected), { timeout: 20_000, interval: 50 });

test('a message goes out by Twilio, its callback tells of the delivery, and an answer comes back', async () => {
  const id = await send('+85261110001', 'hello by Twilio');
  await becomes(id, { status: 'SUCCESS', lane: 'twilio', delivered: false });
  const [taken] = twilio.all();
  expect(taken).toMatchObject({ to: '+85261110001', body: 'hello by Twilio', from: OWN_NUMBER });
  for (const status of ['sent', 'delivered', 'delivered'])
    expect(await twilio.report(taken?.sid ?? '', status)).toBe(204);
  await becomes(id, { delivered: true });
  const inbound = { from: '+85261110001', to: OWN_NUMBER, text: '多謝' };
  expect(await twilio.write(`${web.url}/api/providers/twilio/inbound`, inbound)).toBe(200);
  const { rows } = await sql`select message from messages
    where account_id = ${session.accountId} and type = 'incoming'`.execute(database.db);
  expect(rows).toEqual([{ message: '多謝' }]);
});

test('while Twilio is away messages go by the template’s provider; what it had refused goes out once it is back', async () => {
  await twilio.stop();
  const first = await send('+85261110002', 'to a Twilio that is away');
  await becomes(first, { status: 'PENDING', code: 'NOT_CONNECTED' });
  // The web process reads the lanes once a second: until then it still picks Twilio.
  let last = 85261110100;
  const second = await vi.waitFor(
    async () => {
      last += 1;
      const id = await send(`+${last}`, 'by the other way');
      expect(await read(id)).toMatchObject({ lane: 'http-json-api' });
      return id;
    },
    { interval: 100 },
  );
  // After half a minute the first would go by the other way too.
  await twilio.start();
  await becomes(second, { status: 'SUCCESS', lane: 'http-json-api' });
  const taken = gateway.all().find(({ to }) => to === `+${last}`);
  expect(await gateway.report(taken?.id ?? '', 'failed')).toMatchObject({ status: 200 });
  await becomes(second, { status: 'FAILED', code: 'UNREACHABLE' });
  await becomes(first, { status: 'SUCCESS', lane: 'twilio' });
  expect(twilio.all().filter(({ to }) => to === '+85261110002')).toHaveLength(1);
  expect(gateway.all().filter(({ to }) => to === '+85261110002')).toHaveLength(0);
});

test('a bad template stops the start with the file, the place and the reason', async () => {
  const file = join(folder, 'bad.json');
  await writeFile(
    file,
    JSON.stringify({ name: 'bad', send: { url: 'https://a.example', query: { to: '{{too}}' } }, answer: {} }),
  );
  const env = { HTTP_SMS_PROVIDERS: file };
  const { code, stderr } = await (await launchProgram({ dataDir: join(folder, 'none'), env })).ended();
  expect(code).toBe(1);
  expect(stderr).toContain(
    'Bad settings: HTTP_SMS_PROVIDERS: bad.json: send.query.to: {{too}} is not known here',
  );
});

test.each([
  [{ SMS_ROUTE: 'twilio' }, 'SMS_ROUTE: there is no lane twilio; there are none'],
  [{ TWILIO_FROM: '+15005550006' }, 'TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN must be set, both'],
])('the settings %j are refused', async (env, fault) => {
  const { code, stderr } = await (await launchProgram({ dataDir: join(folder, 'none'), env })).ended();
  expect(code).toBe(1);
  expect(stderr).toContain(fault);
});
