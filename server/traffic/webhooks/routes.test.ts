import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { EventFilter, WebhookEvent } from '../../../contract/traffic/webhooks.ts';
import { openTestWebhooks } from '../../../test/webhooks/webhooks.ts';
import { accountRoutes, findSession, openSenderSearch } from '../../customer/accounts/index.ts';
import { openHttpClient } from '../../ground/http-client/index.ts';
import { replyWithError } from '../../http/error-reply.ts';
import { registerRoutes } from '../../http/registering/register-routes.ts';
import { httpReceivers } from '../../providers/http-receivers/index.ts';
import { forgetWebhooks } from './endpoints/erasure-store.ts';
import { openKeeper } from './endpoints/keep-endpoint.ts';
import { REPLAY } from './events/replay.ts';
import { webhookRoutes } from './routes.ts';

const room = await openTestWebhooks();
const { db } = room;
const strict = httpReceivers({ allowPrivate: false, servers: ['127.0.0.1:9'], openHttpClient });
const app = fastify();
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);
app.setErrorHandler(replyWithError);
registerRoutes(
  app,
  [
    { guard: 'customer', routes: webhookRoutes(room.hooks) },
    {
      guard: 'customer',
      routes: accountRoutes({ ...room.accounts, webhooks: openKeeper({ receivers: strict }) }),
    },
  ],
  {
    findSession: (token) => findSession(db, token),
    findSender: openSenderSearch(db),
    limits: room.accounts.limits,
  },
);
afterAll(async () => {
  await app.close();
  strict.close();
  await room.close();
});

const signedIn = async (webhook = 'http://127.0.0.1:9/') => {
  const { token, ...account } = await room.signIn();
  if (webhook) await room.setWebhook(account.accountId, webhook);
  if (webhook) await room.eventually(() => expect(room.hasSubscriber([account.accountId])).toBe(true));
  const base = `/account/${account.accountId}/webhook`;
  const ask = async (call: string, body?: object, language = 'en-US') => {
    const [method, path] = call.split(' ') as ['GET' | 'POST' | 'PUT', string];
    const answer = await app.inject({
      method,
      url: `/api${path.startsWith('/account') ? path : `${base}${path === '/' ? '' : path}`}`,
      headers: { authorization: token, 'accept-language': language },
      ...(body && { payload: body }),
    });
    return { status: answer.statusCode, ...answer.json() };
  };
  const list = async (filter: EventFilter = {}): Promise<WebhookEvent[]> =>
    (await ask(`GET /events?${new URLSearchParams(filter as Record<string, string>)}`)).events;
  return { accountId: account.accountId, ask, list };
};
const become = (accountId: AccountId, state: 'DELIVERED' | 'PARKED') =>
  sql`update webhook_events set state = ${state}, next_at = null, attempts = 3
    where account_id = ${accountId}`.execute(db);

test('the endpoint shows its address, a secret that stays, and how it goes', async () => {
  const { ask } = await signedIn();
  const first = await ask('GET /');
  expect(first).toMatchObject({
    status: 200,
    url: 'http://127.0.0.1:9/',
    eventsPerCall: 1,
    secret: expect.stringMatching(/^whsec_/),
    previousUntil: null,
    failingSince: null,
    pausedUntil: null,
    goneAt: null,
  });
  expect((await ask('GET /')).secret).toBe(first.secret);
  expect(await ask('POST /rotate')).toMatchObject({
    status: 200,
    message: expect.stringContaining('24 hours'),
  });
  const second = await ask('GET /');
  expect(second.secret).not.toBe(first.secret);
  expect(Date.parse(second.previousUntil) - Date.now()).toBeGreaterThan(23 * 3_600_000);
});

test('an account chooses how many events a call has', async () => {
  const { accountId, ask } = await signedIn();
  expect(await ask(`PUT /account/${accountId}/webhook`, { eventsPerCall: 500 })).toMatchObject({
    status: 200,
  });
  expect(await ask('GET /')).toMatchObject({ eventsPerCall: 500, url: 'http://127.0.0.1:9/' });
  for (const eventsPerCall of [0, 501, 1.5])
    expect(await ask(`PUT /account/${accountId}/webhook`, { eventsPerCall })).toMatchObject({ status: 400 });
  const other = await signedIn();
  expect(await other.ask(`PUT /account/${accountId}/webhook`, { eventsPerCall: 1 })).toMatchObject({
    status: 404,
  });
});

test('the secret is masked unless the password was typed in this session a short while ago', async () => {
  const { accountId, ask } = await signedIn();
  const { secret, ...first } = await ask('GET /');
  expect(first).toMatchObject({ masked: false });
  await sql`update sessions set confirmed_at = now() - interval '16 minutes'`.execute(db);
  const masked = { masked: true, secret: `${'•'.repeat(12)}${secret.slice(-4)}` };
  expect(await ask('GET /')).toMatchObject({ ...masked, url: 'http://127.0.0.1:9/' });
  // A new one is shown no more than the one before.
  expect(await ask('POST /rotate')).toEqual({ status: 200, message: expect.any(String) });
  expect((await ask('GET /')).secret).toMatch(/^•{12}.{4}$/);
  const confirm = (password: string) => ask(`POST /account/${accountId}/confirmPassword`, { password });
  expect(await confirm('not the password')).toMatchObject({ status: 400 });
  expect(await ask('GET /')).toMatchObject({ masked: true });
  expect(await confirm('correct horse battery')).toMatchObject({ status: 200 });
  expect(await ask('GET /')).toMatchObject({ masked: false, secret: expect.stringMatching(/^whsec_/) });
});

test('of two who ask for the first secret at once both see the same', async () => {
  const { ask } = await signedIn('');
  const secrets = await Promise.all(Array.from({ length: 6 }, async () => (await ask('GET /')).secret));
  expect(new Set(secrets)).toEqual(new Set([expect.stringMatching(/^whsec_/)]));
});

test('nobody sees or touches what is another’s', async () => {
  const owner = await signedIn();
  const stranger = await signedIn();
  const { eventId } = await owner.ask('POST /test');
  const base = `/account/${owner.accountId}/webhook`;
  for (const call of [
    `GET ${base}`,
    `POST ${base}/rotate`,
    `POST ${base}/resume`,
    `POST ${base}/test`,
    `GET ${base}/events`,
    `GET ${base}/events/${eventId}`,
    `POST ${base}/events/${eventId}/replay`,
  ])
    expect(await stranger.ask(call)).toMatchObject({ status: 404, code: 'E_NOT_FOUND' });
  expect(await stranger.ask(`POST ${base}/replay`, {})).toMatchObject({ status: 404 });
  expect(await stranger.ask(`GET /events/${eventId}`)).toMatchObject({ status: 404 });
  expect(await stranger.ask(`POST /events/${eventId}/replay`)).toMatchObject({ status: 404 });
  const signedOut = await app.inject({ method: 'GET', url: `/api${base}` });
  expect(signedOut.statusCode).toBe(401);
});

test('without a webhook there is nothing to test, resume or send again', async () => {
  const { ask } = await signedIn('');
  for (const call of ['POST /test', 'POST /resume', `POST /events/${randomUUID()}/replay`])
    expect(await ask(call)).toMatchObject({ status: 400, code: 'E_WEBHOOK_NOT_SET' });
  expect(await ask('POST /replay', {}, 'zh-HK')).toMatchObject({
    message: expect.stringContaining('個人設定'),
  });
});

test('an event shows the body just as it is sent', async () => {
  const { accountId, ask } = await signedIn();
  const { eventId } = await ask('POST /test');
  const { event, payload } = await ask(`GET /events/${eventId}`);
  expect(event).toMatchObject({
    _id: eventId,
    type: 'webhook.test',
    state: 'WAITING',
    attempts: 0,
    answer: null,
  });
  expect(JSON.parse(payload)).toEqual({
    type: 'webhook.test',
    timestamp: event.createdAt,
    data: { test: true, accountId },
  });
});

test('events are found by type, message, state and day, and in pages', async () => {
  const { accountId, ask, list } = await signedIn();
  await room.makeEvents(accountId, 7);
  const messageId = randomUUID();
  await sql`insert into webhook_events (account_id, type, message_id, data)
    values (${accountId}, 'message.sent', ${messageId}, '{}')`.execute(db);
  await sql`insert into webhook_events (id, account_id, type, data, state, next_at, created_at)
    values (webhook_first_event_id('2026-01-31T16:30:00Z'), ${accountId}, 'message.read', '{}', 'PARKED', null,
      '2026-01-31T16:30:00Z')`.execute(db);
  expect(await list()).toHaveLength(9);
  expect(await list({ type: 'message.sent' })).toMatchObject([{ messageId }]);
  expect(await list({ messageId: messageId as never })).toHaveLength(1);
  expect(await list({ state: 'PARKED' })).toMatchObject([{ type: 'message.read' }]);
  // Half past midnight in Hong Kong.
  expect(await list({ dateFrom: '2026-02-01', dateTo: '2026-02-01' })).toHaveLength(1);
  expect(await list({ dateTo: '2026-01-31' })).toHaveLength(0);
  const first = await ask('GET /events?limit=5');
  const rest = await ask(`GET /events?limit=5&before=${first.events.at(-1)._id}`);
  expect([first.more, rest.more]).toEqual([true, false]);
  const ids = [...first.events, ...rest.events].map(({ _id }: WebhookEvent) => _id);
  expect(ids).toEqual((await list()).map(({ _id }) => _id));
  for (const faulty of ['limit=0', 'limit=999', 'type=x', 'messageId=1', 'dateFrom=tomorrow', 'before=1'])
    expect(await ask(`GET /events?${faulty}`)).toMatchObject({ status: 400, code: 'E_INVALID_REQUEST' });
});

test('an event is sent again with the same id', async () => {
  const receiver = await room.receive();
  const { accountId, ask } = await signedIn(receiver.url);
  const [id] = await room.makeEvents(accountId);
  await become(accountId, 'PARKED');
  expect(await ask(`POST /events/${id}/replay`)).toMatchObject({ status: 200 });
  expect((await ask(`GET /events/${id}`)).event).toMatchObject({ state: 'WAITING', attempts: 0 });
  const served = room.serve();
  await room.eventually(() => expect(receiver.ids()).toEqual(new Set([`evt_${id}`])));
  await served.stop(1_000);
});

test('all that a filter lets through are sent again, and no others', async () => {
  const { accountId, ask, list } = await signedIn();
  await room.makeEvents(accountId, 2_500);
  await become(accountId, 'DELIVERED');
  await sql`insert into webhook_events (account_id, type, data, state, next_at)
    values (${accountId}, 'message.sent', '{}', 'PARKED', null)`.execute(db);
  room.jobs.splice(0);
  expect(await ask('POST /replay', { state: 'RETRYING' })).toMatchObject({
    message: expect.stringMatching(/no event/),
  });
  expect(await ask('POST /replay', { type: 'webhook.test' })).toMatchObject({
    message: expect.stringContaining('2500'),
  });
  const [job] = room.jobs.splice(0);
  expect(job?.name).toBe(REPLAY);
  await room.runTask(REPLAY, job?.data);
  const { rows } = await sql<{ state: string; count: bigint }>`
    select state, count(*) from webhook_events where account_id = ${accountId} group by 1 order by 1`.execute(
    db,
  );
  expect(rows).toEqual([
    { state: 'PARKED', count: 1n },
    { state: 'WAITING', count: 2_500n },
  ]);
  expect(await list({ state: 'PARKED' })).toHaveLength(1);
});

test('events in chunks are found, shown and sent again like the others', async () => {
  const { accountId, ask, list } = await signedIn();
  await room.addMoney(accountId, 10);
  const ids = await room.makeMessages(accountId, { count: 130, events: ['accepted', 'sent'] });
  await room.makeEvents(accountId, 3);
  const [first, second] = await list({ messageId: ids[7] as never });
  expect([first, second]).toMatchObject([{ type: 'message.sent' }, { type: 'message.accepted' }]);
  expect(await list({ messageId: randomUUID() as never })).toEqual([]);
  const { event, payload } = await ask(`GET /events/${second?._id}`);
  expect(event).toEqual(second);
  expect(JSON.parse(payload)).toMatchObject({ type: 'message.accepted', data: { _id: ids[7] } });

  const paged: WebhookEvent[] = [];
  for (let more = true; more; ) {
    const page = await ask(`GET /events?limit=60${paged.length ? `&before=${paged.at(-1)?._id}` : ''}`);
    paged.push(...page.events);
    more = page.more;
  }
  expect(paged).toHaveLength(263);
  const sorted = paged.map(({ _id }) => _id).sort((a, b) => (a < b ? 1 : -1));
  expect(paged.map(({ _id }) => _id)).toEqual(sorted);
  expect(new Set(sorted).size).toBe(263);
  expect(new Set(paged.map(({ messageId }) => messageId)).size).toBe(131);

  await sql`update webhook_chunks set state = 'PARKED', next_at = null where account_id = ${accountId}`.execute(
    db,
  );
  expect(await ask(`POST /events/${second?._id}/replay`)).toMatchObject({ status: 200 });
  expect(await ask(`POST /events/${second?._id}/replay`)).toMatchObject({ status: 200 });
  const again = await list({ messageId: ids[7] as never });
  expect(again.map(({ _id, state }) => [_id, state])).toEqual([
    [first?._id, 'PARKED'],
    [second?._id, 'WAITING'],
  ]);
  expect(await ask('GET /events?state=PARKED&limit=200')).toMatchObject({ more: true });

  const replay = async (filter: EventFilter, count: number) => {
    room.jobs.splice(0);
    expect(await ask('POST /replay', filter)).toMatchObject({ message: expect.stringContaining(`${count}`) });
    await room.runTask(REPLAY, room.jobs.splice(0)[0]?.data);
  };
  const waiting = async (type: string) =>
    (await ask(`GET /events?state=WAITING&type=${type}&limit=200`)).events;
  await replay({ messageId: ids[9] as never, type: 'message.sent' }, 1);
  expect(await waiting('message.sent')).toMatchObject([{ messageId: ids[9] }]);
  await replay({ type: 'message.accepted', state: 'PARKED' }, 129);
  expect(await waiting('message.accepted')).toHaveLength(130);
  expect(await waiting('message.sent')).toHaveLength(1);
});

test('chunks are removed and parked in their time', async () => {
  const { accountId, list } = await signedIn();
  await room.addMoney(accountId, 1);
  await room.makeMessages(accountId, { count: 2, events: ['accepted', 'sent', 'delivered'] });
  await sql`update webhook_chunks set begun_at = now() - interval '3 days' where account_id = ${accountId}
    and kind = 'sent'`.execute(db);
  await sql`update webhook_chunks set id = webhook_chunk_of(webhook_first_event_id(now() - interval '31 days'))
    where account_id = ${accountId} and kind = 'accepted'`.execute(db);
  await room.runTask('webhooks.remove-old');
  await room.runTask('webhooks.park-overdue');
  expect((await list()).map(({ type, state }) => [type, state])).toEqual([
    ['message.delivered', 'WAITING'],
    ['message.delivered', 'WAITING'],
    ['message.sent', 'PARKED'],
    ['message.sent', 'PARKED'],
  ]);
  expect(await forgetWebhooks.count(db, accountId)).toBe(5);
  for (let next: string | undefined = ''; next !== undefined; )
    ({ next } = await forgetWebhooks.remove(db, { accountId, after: undefined, limit: 100 }));
  expect(await forgetWebhooks.count(db, accountId)).toBe(0);
});

test('old events are removed, and what could not be tried in its time is parked', async () => {
  const { accountId, list } = await signedIn();
  await sql`insert into webhook_events (id, account_id, type, data, created_at, begun_at)
    select webhook_first_event_id(now() - days * interval '1 day'), ${accountId}, 'message.sent', '{}',
      now() - days * interval '1 day', now() - days * interval '1 day' from unnest(array[1, 3, 29, 31]) days`.execute(
    db,
  );
  await room.runTask('webhooks.remove-old');
  expect(await list()).toHaveLength(3);
  await room.runTask('webhooks.park-overdue');
  expect((await list()).map(({ state }) => state)).toEqual(['WAITING', 'PARKED', 'PARKED']);
});

test.each([
  ['http://127.0.0.1/', 'E_WEBHOOK_PRIVATE'],
  ['http://2130706433/', 'E_WEBHOOK_PRIVATE'],
  ['http://[::ffff:10.0.0.1]/', 'E_WEBHOOK_PRIVATE'],
  ['http://169.254.169.254/latest', 'E_WEBHOOK_PRIVATE'],
  ['http://localhost:3000/', 'E_WEBHOOK_PRIVATE'],
  ['https://8.8.8.8:25/', 'E_WEBHOOK_PORT'],
])('the webhook %s can’t be saved', async (webhook, code) => {
  const { accountId, ask } = await signedIn('');
  expect(await ask(`PUT /account/${accountId}/setting`, { webhook })).toMatchObject({ status: 400, code });
  expect((await ask('GET /')).url).toBe('');
});
