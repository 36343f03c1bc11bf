import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { type GraphApi, startGraphApi } from '../../../test/emulators/graph-api/graph-api.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { startWebhookServer } from '../../../test/webhooks/webhook-server.ts';
import { accountsHaving, findOptedOut } from '../../customer/opt-outs/index.ts';
import { openOwnDevices } from '../../fleet/devices/index.ts';
import { openHttpClient } from '../../ground/http-client/index.ts';
import { type Delivery, openReceiver, runDelivery } from '../../traffic/delivery/index.ts';
import { newWorker, openLanes, wakeLanes } from '../../traffic/lanes/index.ts';
import { fetchMedia, openMediaFiles, readMediaOf } from '../../traffic/media/index.ts';
import { noSubscribers } from '../../traffic/outbox/index.ts';
import { reconcile } from '../../traffic/outbox/testing/index.ts';
import { openSending } from '../../traffic/sending/index.ts';
import { cloudCarrier, cloudMedia, cloudWebhook } from './index.ts';

/**
 * Accepted by the sending room, sent by a worker, reported by webhook: with Meta's API at the other end of a socket.
 */
const APP = { appSecret: 'app-secret', verifyToken: 'verify-token' };
const LANE = 'whatsapp-cloud-106540352242922';
const PRICE = 20_000n;
const room = await openTestMessages();
const { db } = room;
const log = { info: () => {}, warn: () => {}, error: () => {} };
let graph: GraphApi;
let delivery: Delivery;
let server: Awaited<ReturnType<typeof startWebhookServer>>;
let messages: Awaited<ReturnType<typeof openSending>>;
let accountId: AccountId;

beforeAll(async () => {
  graph = await startGraphApi({ behaviour: { sessions: 'in-status' } });
  const settings = {
    phoneNumberId: graph.numbers[0]?.phoneNumberId ?? '',
    token: graph.token,
    apiBase: graph.url(),
    timeoutMs: 15_000,
    probeMs: 200,
    retry: { firstMs: 50, maxMs: 200 },
    perSecond: 1_000,
    openHttpClient,
  };
  const worker = newWorker('test');
  const lanes = await openLanes(db, worker, [
    {
      name: LANE,
      channel: 'whatsapp',
      provider: 'whatsapp-cloud',
      simulated: false,
      preference: 1,
      sessionHours: 24,
      waba: graph.waba,
      carrier: () => cloudCarrier(settings),
    },
  ]);
  delivery = runDelivery({ db, url: room.url, log, worker, lanes, timing: { gatherMs: 10, pollMs: 50 } });
  const webhook = cloudWebhook({ ...APP, lanes: new Map([[settings.phoneNumberId, LANE]]), log });
  server = await startWebhookServer(
    [webhook],
    openReceiver({ db, log, publisher: noSubscribers, timing: { gatherMs: 5 } }),
  );
  graph.setWebhook({ url: `${server.url}/whatsapp`, ...APP });
  const optOuts = { find: findOptedOut, having: accountsHaving };
  messages = await openSending({
    devices: openOwnDevices({ db }),
    db,
    queue: room.deps.queue,
    wake: wakeLanes,
    optOuts,
  });
  accountId = await room.funded(100);
});
afterEach(() => {
  Object.assign(graph.behaviour, {
    sessions: 'in-status',
    statuses: [],
    early: false,
    bareStatus: undefined,
  });
});
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await delivery.stop(500);
  await server.close();
  await graph.close();
  await room.close();
});

let numbers = 0;
const newNumber = (): string => `+8526444${String(++numbers).padStart(4, '0')}`;
const send = (phone: string, wanted: object) =>
  messages.send({
    sender: { accountId, test: false },
    channel: 'whatsapp',
    wanted: { recipientRaw: phone, message: '', ...wanted },
    idempotencyKey: undefined,
  });
const TEMPLATE = { template: { name: 'hello_world', language: 'en_US' } };
const read = async (id: string) => {
  const { rows } = await sql<{
    status: string;
    code: string;
    waId: string | null;
    deliveredAt: Date | null;
    readAt: Date | null;
  }>`select status, error_code as code, provider_message_id as "waId", delivered_at as "deliveredAt",
      read_at as "readAt" from messages where id = ${id}`.execute(db);
  return rows[0];
};
const become = (id: string, expected: object) =>
  vi.waitFor(async () => expect(await read(id)).toMatchObject(expected), { interval: 20 });
const inboundOf = async (from: string) => {
  const { rows } = await sql<{
    id: string;
    message: string;
    content: Record<string, unknown> | null;
    waId: string;
  }>`
    select id, message, content, provider_message_id as "waId" from messages
    where type = 'incoming' and sender = ${from} order by created_at, id`.execute(db);
  return rows;
};

test("Meta's check of our address is answered", async () => {
  expect(await graph.webhooks.verify({ url: `${server.url}/whatsapp`, ...APP })).toBe(true);
  expect(await graph.webhooks.verify({ url: `${server.url}/whatsapp`, ...APP, verifyToken: 'other' })).toBe(
    false,
  );
});

test('a template opens the conversation, the answer opens the session, and words and images follow', async () => {
  const phone = newNumber();
  graph.behaviour.statuses = ['sent', 'delivered', 'read'];
  const { _id } = await send(phone, TEMPLATE);
  await become(_id, { status: 'SUCCESS', readAt: expect.any(Date), deliveredAt: expect.any(Date) });
  await expect(send(phone, { message: 'too early' })).rejects.toMatchObject({ code: 'E_NO_SESSION' });

  const quotedMessage = await graph.write(phone, { type: 'text', text: { body: 'Hi!' } });
  expect(await inboundOf(phone)).toMatchObject([{ message: 'Hi!', waId: quotedMessage }]);
  const answer = await send(phone, { message: 'Hello', quotedMessage });
  await become(answer._id, { status: 'SUCCESS', readAt: expect.any(Date) });
  const image = await send(phone, { image: 'https://example.com/a.jpg', message: 'Look' });
  await become(image._id, { status: 'SUCCESS' });
  expect(graph.taken.slice(-2)).toMatchObject([
    { text: { body: 'Hello' }, context: { message_id: quotedMessage } },
    { image: { link: 'https://example.com/a.jpg', caption: 'Look' } },
  ]);
});

test.each(['in-answer', 'in-status'] as const)(
  "where Meta's own clock says otherwise (%s) it fails as ours would, and is refunded once",
  async (sessions) => {
    const phone = newNumber();
    graph.behaviour.statuses = ['delivered'];
    await become((await send(phone, TEMPLATE))._id, { status: 'SUCCESS' });
    // Our books have a session that Meta does not know of.
    await sql`insert into whatsapp_sessions (account_id, customer, lane_id, since, last_at)
      select ${accountId}, ${phone}, id, now(), now() from lanes where name = ${LANE}`.execute(db);
    graph.behaviour.sessions = sessions;
    const before = await room.balance(accountId);
    const { _id } = await send(phone, { message: 'hello' });
    await become(_id, { status: 'FAILED', code: 'E_NO_SESSION' });
    expect(await room.balance(accountId)).toBe(before);
  },
);

test('statuses that come before the answer, in the wrong order and twice, come to the same', async () => {
  graph.behaviour.early = true;
  graph.behaviour.statuses = ['read', 'delivered', 'sent', 'read'];
  const { _id } = await send(newNumber(), TEMPLATE);
  await become(_id, { status: 'SUCCESS', readAt: expect.any(Date), deliveredAt: expect.any(Date) });
});

test('a failure told late is refunded once, however often it is told', async () => {
  const before = await room.balance(accountId);
  const { _id } = await send(newNumber(), TEMPLATE);
  await become(_id, { status: 'SUCCESS' });
  const { waId } = (await read(_id)) ?? {};
  await Promise.all([1, 2, 3].map(() => graph.report(waId ?? '', 'failed', { errorCode: 131026 })));
  await graph.report(waId ?? '', 'failed', { errorCode: 131026 });
  await become(_id, { status: 'FAILED', code: 'E_RECIPIENT:131026' });
  expect(await room.balance(accountId)).toBe(before);
});

test('a message whose answer was lost is found again by what Meta tells of it, and is not sent twice', async () => {
  const phone = '+85264449006';
  const before = await room.balance(accountId);
  const { _id } = await send(phone, TEMPLATE);
  await vi.waitFor(async () => {
    const { rows } = await sql`select from messages where id = ${_id} and unknown_since is not null`.execute(
      db,
    );
    expect(rows).toHaveLength(1);
  });
  const [lost] = graph.taken.filter(({ biz_opaque_callback_data: id }) => id === _id);
  await graph.report(lost?.id ?? '', 'delivered');
  await reconcile(db, { settledMs: 0 });
  expect(await read(_id)).toMatchObject({ status: 'SUCCESS', waId: lost?.id, deliveredAt: expect.any(Date) });
  expect(graph.taken.filter(({ to }) => `+${to}` === phone)).toHaveLength(1);
  expect(await room.balance(accountId)).toBe(before - PRICE);
});

test('what Meta refuses for good is refunded; what it puts off goes later', async () => {
  const before = await room.balance(accountId);
  const { _id } = await send('+85264449001', TEMPLATE);
  await become(_id, { status: 'FAILED', code: 'E_RECIPIENT' });
  expect(await room.balance(accountId)).toBe(before);
  graph.behaviour.errorCode = 130429;
  const { _id: later } = await send(newNumber(), TEMPLATE);
  await become(later, { status: 'PENDING', code: 'E_RATE_LIMITED' });
  graph.behaviour.errorCode = undefined;
  await become(later, { status: 'SUCCESS' });
});

test('while our end is away Meta comes again, and everything is stored once', async () => {
  const phone = newNumber();
  await become((await send(phone, TEMPLATE))._id, { status: 'SUCCESS' });
  const tries = graph.webhooks.tries.length;
  await sql`alter table inbound_ids rename to inbound_ids_away`.execute(db);
  const written = graph.write(phone, { type: 'text', text: { body: 'again' } });
  await vi.waitFor(() => expect(graph.webhooks.tries.slice(tries)).toContain(500));
  await sql`alter table inbound_ids_away rename to inbound_ids`.execute(db);
  const id = await written;
  expect(graph.webhooks.tries.at(-1)).toBe(200);
  await graph.write(phone, { type: 'text', text: { body: 'again' }, id });
  expect(await inboundOf(phone)).toHaveLength(1);
});

test('an image that comes in is fetched, and belongs to the account', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-media-'));
  const phone = newNumber();
  await become((await send(phone, TEMPLATE))._id, { status: 'SUCCESS' });
  const mediaId = graph.addMedia({ bytes: Buffer.from('picture'), mimeType: 'image/jpeg' });
  await graph.write(phone, {
    type: 'image',
    image: { id: mediaId, mime_type: 'image/jpeg', caption: 'Look' },
  });
  const [inbound] = await inboundOf(phone);
  expect(inbound).toMatchObject({ message: 'Look', content: { kind: 'image', senderName: 'A Customer' } });
  const settings = {
    phoneNumberId: graph.numbers[0]?.phoneNumberId ?? '',
    token: graph.token,
    apiBase: graph.url(),
    openHttpClient,
  };
  const files = openMediaFiles(folder);
  const source = cloudMedia(settings);
  const sourceOf = async (name: string) => (name === LANE ? source : undefined);
  await fetchMedia({ db, files, sourceOf, log }, new AbortController().signal);
  const media = await readMediaOf(db, { accountId, messageId: inbound?.id as never });
  expect(media).toMatchObject([{ state: 'STORED', bytes: 7n, kind: 'image', mimeType: 'image/jpeg' }]);
  expect(inbound?.content?.media).toMatchObject({ id: media[0]?.id });
  await rm(folder, { recursive: true, force: true });
});

test('many at once: each is sent once, and all that is told of them is stored', async () => {
  graph.behaviour.statuses = ['sent', 'delivered', 'read'];
  const before = graph.taken.length;
  const phones = Array.from({ length: 200 }, newNumber);
  const accepted = await Promise.all(phones.map((phone) => send(phone, TEMPLATE)));
  const ids = accepted.map(({ _id }) => _id);
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from messages
        where id = any(${ids}::uuid[]) and status = 'SUCCESS' and read_at is not null`.execute(db);
      expect(rows[0]?.count).toBe(200);
    },
    { interval: 50 },
  );
  const sent = graph.taken.slice(before).map(({ biz_opaque_callback_data: id }) => id);
  expect(sent.toSorted()).toEqual(ids.toSorted());
});
