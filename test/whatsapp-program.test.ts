import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase } from '../server/ground/postgres/index.ts';
import { callApi, mailedToken } from './api.ts';
import { emptyDatabase } from './database.ts';
import { type GraphApi, startGraphApi } from './emulators/graph-api/graph-api.ts';
import { type Program, startProgram } from './program.ts';

/** The program in two processes: Meta calls one, the other one holds the lane. */
const APP = { appSecret: 'app-secret', verifyToken: 'verify-token' };
let graph: GraphApi;
let web: Program;
let worker: Program;
let token: string;
let accountId: string;
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  graph = await startGraphApi({ behaviour: { statuses: ['sent', 'delivered', 'read'] } });
  const database = await emptyDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-whatsapp-'));
  undo.push(database.drop, () => rm(folder, { recursive: true, force: true }));
  const env = {
    DATABASE_URL: database.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    WHATSAPP_CLOUD_PHONE_NUMBER_ID: graph.numbers[0]?.phoneNumberId ?? '',
    WHATSAPP_CLOUD_TOKEN: graph.token,
    WHATSAPP_CLOUD_APP_SECRET: APP.appSecret,
    WHATSAPP_CLOUD_VERIFY_TOKEN: APP.verifyToken,
    WHATSAPP_CLOUD_WABA_ID: graph.waba,
    WHATSAPP_CLOUD_API_BASE: graph.url(),
  };
  const start = (roles: string) => startProgram({ dataDir: folder, env, args: ['--roles', roles] });
  web = await start('web');
  worker = await start('worker');
  undo.unshift(() => Promise.all([web.stop(), worker.stop(), graph.close()]));
  graph.setWebhook({ url: `${web.url}/api/providers/whatsapp`, ...APP });

  const register = async (email: string) => {
    await callApi(web.url, 'POST /account/register', { body: { email, password: 'correct horse battery' } });
    const body = { token: await mailedToken(web.url, email) };
    const { reply } = await callApi(web.url, 'POST /activate', { body });
    const { _id } = (await callApi(web.url, 'GET /account/me/profile', { token: reply.token })).reply;
    return { token: reply.token, accountId: _id };
  };
  ({ token, accountId } = await register('customer@example.com'));
  const admin = await register('admin@example.com');
  const { pool, close } = openDatabase({ url: database.url, max: 1, onError: () => {} });
  await pool.query('update accounts set admin = true where id = $1', [admin.accountId]);
  await close();
  const adjusted = await callApi(web.url, 'POST /account/:accountId/adjustment', {
    token: admin.token,
    params: { accountId },
    body: { amount: 1, reason: 'test money' },
  });
  expect(adjusted.status).toBe(200);
});
afterAll(async () => {
  for (const step of undo) await step();
});

const PHONE = '+85261112222';
const send = (wanted: object) =>
  callApi(web.url, 'POST /:channel/send', {
    token,
    params: { channel: 'whatsapp' },
    body: { phone: PHONE, message: '', ...wanted },
  });
const messages = async () =>
  (await callApi(web.url, 'GET /account/:accountId/messages', { token, params: { accountId } })).reply
    .messages;
test("Meta's check of the address is answered by the web role", async () => {
  expect(await graph.webhooks.verify({ url: `${web.url}/api/providers/whatsapp`, ...APP })).toBe(true);
});

test('a conversation: template, read, answer, free words, an image that comes in', async () => {
  expect(await send({ message: 'too early' })).toMatchObject({
    status: 409,
    error: { code: 'E_NO_SESSION' },
  });
  const first = await send({
    template: { name: 'order_update', language: 'en_US', parameters: ['42', 'today'] },
  });
  expect(first.status).toBe(200);
  await vi.waitFor(
    async () =>
      expect(await messages()).toMatchObject([
        { status: 'SUCCESS', readAt: expect.any(String), templateName: 'order_update', WABA: graph.waba },
      ]),
    { timeout: 20_000, interval: 100 },
  );
  const mediaId = graph.addMedia({ bytes: Buffer.from('picture'), mimeType: 'image/jpeg' });
  await graph.write(PHONE, {
    type: 'image',
    image: { id: mediaId, mime_type: 'image/jpeg', caption: '收到' },
  });
  const [inbound] = await messages();
  expect(inbound).toMatchObject({ type: 'incoming', message: '收到', media: { kind: 'image' } });
  const address = `${web.url}/api/account/${accountId}/media/${inbound?.media?._id}`;
  await vi.waitFor(
    async () => {
      const answer = await fetch(address, { headers: { authorization: token } });
      expect([answer.status, await answer.text()]).toEqual([200, 'picture']);
    },
    { timeout: 20_000, interval: 100 },
  );
  expect((await send({ message: 'Thank you', quotedMessage: inbound?._id })).status).toBe(200);
  await vi.waitFor(
    async () =>
      expect((await messages())[0]).toMatchObject({
        message: 'Thank you',
        status: 'SUCCESS',
        session: true,
        quotedMessage: inbound?.waMessageId,
      }),
    { timeout: 20_000, interval: 100 },
  );
});
