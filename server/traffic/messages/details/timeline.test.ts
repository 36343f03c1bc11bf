import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Reply } from '../../../../contract/calls.ts';
import type { MessageStep } from '../../../../contract/traffic/message-details.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { cancelAll, changeWaiting } from '../../../../test/chunks.ts';
import { refusal, type ScriptedCarrier, scriptedCarrier } from '../../../../test/delivery.ts';
import { openTestWebhooks, type TestWebhooks } from '../../../../test/webhooks/webhooks.ts';
import { findSession, openSenderSearch, readSecrets } from '../../../customer/accounts/index.ts';
import { accountsHaving, findOptedOut } from '../../../customer/opt-outs/index.ts';
import { openOwnDevices } from '../../../fleet/devices/index.ts';
import { readPhoneHosts } from '../../../fleet/phones/index.ts';
import { text } from '../../../ground/translations/index.ts';
import { replyWithError } from '../../../http/error-reply.ts';
import { registerRoutes } from '../../../http/registering/register-routes.ts';
import { type Delivery, runDelivery } from '../../delivery/index.ts';
import { type Lane, newWorker, wakeLanes } from '../../lanes/index.ts';
import { cancelRoutes, outboxTasks } from '../../outbox/index.ts';
import { openSending, sendingRoutes } from '../../sending/index.ts';
import { listMessageEvents } from '../../webhooks/index.ts';
import { statusRoutes } from '../status-routes.ts';
import { detailRoutes } from './detail-routes.ts';

type Timeline = Reply<'GET /messages/:messageId/timeline'>;

const PRICE = 0.032051;
const SILENT = { info: () => {}, warn: () => {}, error: () => {} };
const app = fastify();
let room: TestWebhooks;
let tasks: ReturnType<typeof outboxTasks>;
let first: ScriptedCarrier & { lane: Lane };
let second: ScriptedCarrier & { lane: Lane };
let simulated: ScriptedCarrier & { lane: Lane };
let delivery: Delivery | undefined;
beforeAll(async () => {
  room = await openTestWebhooks();
  const add = async (options?: { simulated: boolean }) => {
    const scripted = scriptedCarrier();
    return { ...scripted, lane: await room.addLane(() => scripted.carrier, options) };
  };
  [first, second, simulated] = [await add(), await add(), await add({ simulated: true })];
  const { db } = room;
  await sql`update lanes set preference = 1, cost_micros = case id when ${second.lane.id} then 7000 else 0 end
    where not simulated`.execute(db);
  const { queue } = room.deps;
  tasks = outboxTasks({ db, log: SILENT, publisher: room });
  const optOuts = { find: findOptedOut, having: accountsHaving };
  const messages = await openSending({
    devices: openOwnDevices({ db }),
    db,
    queue,
    wake: wakeLanes,
    optOuts,
    publisher: room,
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(replyWithError);
  registerRoutes(
    app,
    [
      { guard: 'sender', routes: sendingRoutes(messages) },
      { guard: 'sender', routes: statusRoutes(messages) },
      { guard: 'sender', routes: cancelRoutes({ db, queue }) },
      {
        guard: 'customer',
        routes: detailRoutes({
          db,
          readPhoneHosts,
          eventsOf: (of) => listMessageEvents(db, of),
          holdOf: async () => undefined,
        }),
      },
    ],
    {
      findSession: (token) => findSession(db, token),
      findSender: openSenderSearch(db),
      limits: room.accounts.limits,
    },
  );
});
afterEach(async () => {
  await delivery?.stop(300);
  delivery = undefined;
  first.script.answer = ({ id }) => ({ outcome: 'accepted', providerMessageId: `c-${id}` });
  await cancelAll(room.db);
});
afterAll(async () => {
  await app.close();
  await room.close();
});

const ask = async (
  call: string,
  { token, body, language = 'en-US' }: { token: string; body?: object; language?: string },
) => {
  const [method, url] = call.split(' ') as ['GET' | 'POST', string];
  const answer = await app.inject({
    method,
    url: `/api${url}`,
    headers: { authorization: token, 'accept-language': language },
    ...(body && { payload: body }),
  });
  return { http: answer.statusCode, ...answer.json() };
};

/** Signed in, with ten dollars. */
const customer = async () => {
  const { token, accountId } = await room.signIn();
  await room.addMoney(accountId, 10);
  const send = async (body: object = {}, by = token): Promise<MessageId> => {
    const sent = await ask('POST /sms/send', {
      token: by,
      body: { phone: '6111 2222', message: 'hi', ...body },
    });
    expect(sent).toMatchObject({ http: 200 });
    return sent._id;
  };
  const timeline = async (id: MessageId, language?: string): Promise<Timeline> => {
    const told = await ask(`GET /messages/${id}/timeline`, { token, ...(language && { language }) });
    expect(told.http).toBe(200);
    return told;
  };
  return { token, accountId, send, timeline };
};
type Customer = Awaited<ReturnType<typeof customer>>;

const work = (): void => {
  const lanes = [first.lane, second.lane, simulated.lane];
  const timing = { gatherMs: 10, pollMs: 50, answerMs: 20_000, failoverEveryMs: 50 };
  const { db, url } = room;
  delivery = runDelivery({ db, url, log: SILENT, worker: newWorker('test'), lanes, timing, publisher: room });
};
const kinds = ({ steps }: Timeline): string[] => steps.map(({ kind }) => kind);
const stepOf = <K extends MessageStep['kind']>({ steps }: Timeline, kind: K) =>
  steps.find((step): step is MessageStep & { kind: K } => step.kind === kind);
const until = async ({ timeline }: Customer, id: MessageId, kind: MessageStep['kind']): Promise<Timeline> => {
  await room.eventually(async () => expect(kinds(await timeline(id))).toContain(kind));
  return timeline(id);
};
const receipt = (
  id: MessageId,
  state: 'delivered' | 'read' | 'failed',
  { code = '', by = first }: { code?: string; by?: ScriptedCarrier } = {},
) => by.script.events?.receipt({ providerMessageId: `c-${id}`, state, at: new Date(), code });
const run = (name: string, data: object = {}) => tasks[name]?.run(data, new AbortController().signal);

test('delivered and read: accepted, priced, routed, sent, with the events that a webhook was told of', async () => {
  const one = await customer();
  const receiver = await room.receive();
  await room.setWebhook(one.accountId, receiver.url);
  const telling = room.serve();
  work();
  const id = await one.send();
  await until(one, id, 'sent');
  await receipt(id, 'delivered');
  await receipt(id, 'read');
  const told = await until(one, id, 'read');
  expect(kinds(told)).toEqual(['accepted', 'priced', 'routed', 'sent', 'delivered', 'read']);
  expect(stepOf(told, 'accepted')).toMatchObject({ way: 'PAGE', messages: 1, batchId: expect.any(String) });
  expect(stepOf(told, 'priced')).toMatchObject({
    segments: 1,
    unitPrice: PRICE,
    price: PRICE,
    country: 'HK',
    entryId: expect.stringMatching(/^\d+$/),
  });
  expect(stepOf(told, 'routed')).toMatchObject({ why: 'PREFERRED', lane: null });
  expect(stepOf(told, 'sent')).toMatchObject({ tries: 1, lane: null });
  expect(told.waiting).toBeNull();
  expect(told.message).toMatchObject({ _id: id, status: 'SUCCESS', job: { provider: null } });
  await room.eventually(async () => {
    const { events } = await one.timeline(id);
    expect(events.map(({ type, state, answer }) => [type, state, answer?.status])).toEqual([
      ['message.accepted', 'DELIVERED', 200],
      ['message.sent', 'DELIVERED', 200],
      ['message.delivered', 'DELIVERED', 200],
      ['message.read', 'DELIVERED', 200],
    ]);
  });
  await telling.stop(500);
});

test('refused for good: failed with the words of the carrier, and refunded once', async () => {
  const one = await customer();
  first.script.answer = () => refusal(false);
  work();
  const { secret } = await readSecrets(room.accounts, one.accountId);
  const id = await one.send({}, secret);
  const told = await until(one, id, 'refunded');
  expect(kinds(told)).toEqual(['accepted', 'priced', 'routed', 'failed', 'refunded']);
  expect(stepOf(told, 'accepted')).toMatchObject({ way: 'API' });
  expect(stepOf(told, 'failed')).toMatchObject({
    why: 'REFUSED',
    reason: 'No.',
    errorCode: 'NO_SUCH_NUMBER',
  });
  expect(stepOf(told, 'refunded')).toMatchObject({ amount: PRICE });
  expect(stepOf(told, 'refunded')?.entryId).not.toBe(stepOf(told, 'priced')?.entryId);
});

test("a failed receipt's code is explained in the reader's language, whichever came first", async () => {
  const one = await customer();
  work();
  const id = await one.send();
  await until(one, id, 'sent');
  await Promise.all([receipt(id, 'failed', { code: 'UNDELIV:045' }), receipt(id, 'failed', { code: 'X' })]);
  const told = await until(one, id, 'refunded');
  expect(kinds(told)).toEqual(['accepted', 'priced', 'routed', 'sent', 'failed', 'refunded']);
  expect(stepOf(told, 'failed')).toEqual({
    kind: 'failed',
    at: expect.any(String),
    why: 'RECEIPT',
    reason: 'The carrier reported that it could not be delivered.',
    errorCode: 'UNDELIV:045',
    parts: null,
  });
  expect(stepOf(await one.timeline(id, 'zh-HK'), 'failed')?.reason).toBe('營辦商回報訊息無法送達。');
});

test('put off three times, then by another lane: each try and why, the lanes by name for admins only', async () => {
  const one = await customer();
  first.script.answer = () => refusal(true);
  work();
  const id = await one.send();
  await room.eventually(async () => expect(kinds(await one.timeline(id))).toContain('put-off'));
  const told = await until(one, id, 'sent');
  expect(kinds(told)).toEqual([
    'accepted',
    'priced',
    'routed',
    'put-off',
    'put-off',
    'put-off',
    'diverted',
    'sent',
  ]);
  expect(stepOf(told, 'put-off')).toMatchObject({ reason: 'No.', errorCode: 'BUSY', lane: null });
  expect(stepOf(told, 'diverted')).toMatchObject({
    why: 'REFUSED',
    errorCode: 'BUSY',
    lane: null,
    toLane: null,
  });
  expect(stepOf(told, 'sent')).toMatchObject({ tries: 4 });

  const { token, accountId } = await room.signIn();
  await sql`update accounts set admin = true where id = ${accountId}`.execute(room.db);
  const seen = (await ask(`GET /messages/${id}/timeline`, { token })) as unknown as Timeline;
  expect(stepOf(told, 'routed')).toMatchObject({ why: 'PREFERRED', lane: null });
  expect(stepOf(seen, 'routed')).toMatchObject({ why: 'CHEAPEST', lane: first.lane.name });
  expect(stepOf(seen, 'diverted')).toMatchObject({ lane: first.lane.name, toLane: second.lane.name });
  expect(stepOf(seen, 'sent')?.lane).toBe(second.lane.name);
  expect(seen.message).toMatchObject({
    accountId: one.accountId,
    job: { provider: 'scripted', providerMessageId: `c-${id}` },
  });
});

test('part 1 delivered and part 2 refused: it has failed, with the parts and the refund, in both languages', async () => {
  const one = await customer();
  first.script.answer = ({ id }) => ({
    outcome: 'refused',
    code: 'ESME_RTHROTTLED',
    reason: 'Not just now.',
    retryable: false,
    parts: [
      { state: 'taken', id: `c-${id}` },
      { state: 'refused', code: 'ESME_RTHROTTLED', reason: 'Not just now.' },
    ],
  });
  work();
  const id = await one.send();
  await until(one, id, 'refunded');
  await receipt(id, 'delivered');
  const told = await one.timeline(id);
  expect(kinds(told)).toEqual(['accepted', 'priced', 'routed', 'failed', 'refunded']);
  expect(stepOf(told, 'failed')).toMatchObject({
    errorCode: 'ESME_RTHROTTLED',
    parts: { total: 2, delivered: [1], missing: [2] },
  });
  const values = { missing: '2', total: 2, delivered: 1 };
  expect(text('en_US', 'details.parts_failed', values)).toMatch(
    /^Of 2 parts, part 2 was not sent .* 1 arrived/,
  );
  expect(text('zh_HK', 'details.parts_failed', values)).toMatch(/^共 2 部分，第 2 部分未能.*已送達 1 部分/);
});

test('in doubt and failed by the receipt of a part: it says that the receipt did it', async () => {
  const one = await customer();
  first.script.answer = ({ id }) => ({
    outcome: 'unknown',
    reason: 'cut',
    parts: [{ state: 'taken', id: `c-${id}` }, { state: 'unknown' }],
  });
  work();
  const id = await one.send();
  await until(one, id, 'unknown');
  await receipt(id, 'failed', { code: 'UNDELIV' });
  const told = await until(one, id, 'refunded');
  expect(stepOf(told, 'failed')).toMatchObject({ why: 'RECEIPT', errorCode: 'UNDELIV' });
});

test('unknown: while it waits for a receipt, and when no report came', async () => {
  const one = await customer();
  first.script.answer = () => ({ outcome: 'unknown', reason: 'cut' });
  work();
  const id = await one.send();
  const waiting = await until(one, id, 'unknown');
  expect(waiting.waiting).toEqual({ why: 'UNKNOWN', until: null });
  await room.giveUpUnknown();
  const told = await one.timeline(id);
  expect(kinds(told)).toEqual(['accepted', 'priced', 'routed', 'unknown', 'failed']);
  expect(stepOf(told, 'failed')).toMatchObject({ why: 'UNKNOWN', errorCode: 'E_UNKNOWN_OUTCOME' });
  expect(told.waiting).toBeNull();
});

test('cancelled while it is for later: the time, the end and the money', async () => {
  const one = await customer();
  const sendAt = new Date(Date.now() + 86_400_000).toISOString();
  const id = await one.send({ sendAt, lateLimitMinutes: 30 });
  const before = await one.timeline(id);
  expect(kinds(before)).toEqual(['accepted', 'priced', 'scheduled']);
  expect(stepOf(before, 'scheduled')).toMatchObject({
    sendAt,
    until: new Date(Date.parse(sendAt) + 30 * 60_000).toISOString(),
  });
  expect(before.waiting).toEqual({ why: 'SCHEDULED', until: sendAt });
  const cancels = await Promise.all(
    [1, 2].map(() => ask(`POST /messages/${id}/cancel`, { token: one.token })),
  );
  expect(cancels.map(({ http }) => http)).toEqual([200, 200]);
  const told = await one.timeline(id);
  expect(kinds(told)).toEqual(['accepted', 'priced', 'scheduled', 'cancelled', 'refunded']);
  expect(stepOf(told, 'cancelled')).toMatchObject({ why: 'CANCELLED' });
  expect(stepOf(told, 'refunded')).toMatchObject({ amount: PRICE });
});

test('too late, and opted out before it was sent', async () => {
  const one = await customer();
  const id = await one.send({ sendAt: new Date(Date.now() + 86_400_000).toISOString() });
  await changeWaiting(room.db, sql`expires_at = now() - interval '1 second'`, sql`id = ${id}`);
  await run('outbox.cancel-expired');
  expect(kinds(await one.timeline(id))).toEqual(['accepted', 'priced', 'scheduled', 'cancelled', 'refunded']);
  expect(stepOf(await one.timeline(id), 'cancelled')).toMatchObject({ why: 'TOO_LATE' });

  const other = await one.send({ phone: '6111 3333' });
  expect((await one.timeline(other)).waiting).toMatchObject({
    why: expect.stringMatching(/QUEUED|LANE_DOWN/),
  });
  const optedOut = [{ accountId: one.accountId, channel: 'sms', recipients: ['+85261113333'] }];
  await run('outbox.cancel-opted-out', { optedOut });
  expect(stepOf(await one.timeline(other), 'cancelled')).toMatchObject({ why: 'OPTED_OUT' });
});

test('with the test secret: through a simulator, and free', async () => {
  const one = await customer();
  work();
  const { testSecret } = await readSecrets(room.accounts, one.accountId);
  const id = await one.send({}, testSecret);
  const told = await until(one, id, 'sent');
  expect(kinds(told)).toEqual(['accepted', 'priced', 'routed', 'sent']);
  expect(stepOf(told, 'priced')).toMatchObject({ price: 0, unitPrice: 0, entryId: null });
  expect(stepOf(told, 'routed')).toMatchObject({ why: 'TEST' });
});

test('an answer from outside was received', async () => {
  const one = await customer();
  work();
  const id = await one.send({ phone: '6111 7777' });
  await until(one, id, 'sent');
  await first.script.events?.inbound({
    providerMessageId: 'in-1',
    from: '+85261117777',
    to: '+85230001000',
    text: 'Thanks!',
    at: new Date(),
  });
  const { rows } = await sql<{ id: MessageId }>`select id from messages
    where account_id = ${one.accountId} and type = 'incoming'`.execute(room.db);
  const told = await one.timeline(rows[0]?.id as MessageId);
  expect(kinds(told)).toEqual(['received']);
  expect(told).toMatchObject({ waiting: null, message: { type: 'incoming', message: 'Thanks!' } });
});

test("another's message, one that is not there and nonsense are refused", async () => {
  const [one, other] = [await customer(), await customer()];
  const id = await one.send();
  expect(await ask(`GET /messages/${id}/timeline`, { token: other.token })).toMatchObject({
    http: 404,
    code: 'E_NOT_FOUND',
  });
  const nobody = '00000000-0000-7000-8000-000000000000';
  expect(await ask(`GET /messages/${nobody}/timeline`, { token: one.token })).toMatchObject({ http: 404 });
  expect(await ask('GET /messages/nonsense/timeline', { token: one.token })).toMatchObject({ http: 400 });
  expect(await ask(`GET /messages/${id}/timeline`, { token: '' })).toMatchObject({ http: 401 });
  // The secret sends, but does not read what only a session may.
  const { secret } = await readSecrets(room.accounts, one.accountId);
  expect(await ask(`GET /messages/${id}/timeline`, { token: secret })).toMatchObject({ http: 401 });
});
