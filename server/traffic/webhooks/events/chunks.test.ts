import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { type EventType, eventPayload } from '../../../../contract/traffic/webhooks.ts';
import { BEHAVIOURS, type Received } from '../../../../test/emulators/webhook-receiver.ts';
import { openTestWebhooks, type TestWebhooks } from '../../../../test/webhooks/webhooks.ts';
import { takeEndpoint } from '../endpoints/endpoint-store.ts';
import { listMessageEvents } from './list-message-events.ts';

const NOWHERE = { url: 'http://127.0.0.1:9/' };
const LIFE = ['accepted', 'sent', 'delivered', 'read'] as const;

let room: TestWebhooks;
let served: ReturnType<TestWebhooks['serve']> | undefined;
beforeAll(async () => {
  room = await openTestWebhooks();
});
afterEach(async () => {
  await served?.stop(10_000);
  served = undefined;
  await sql`update webhook_endpoints set url = ''`.execute(room.db);
});
afterAll(() => room.close());

const serve = (timing = {}) => {
  served = room.serve(timing);
};
const rowsOf = async (accountId: AccountId) => {
  const { rows } = await sql<{ chunks: number; events: number }>`
    select (select count(*)::int from webhook_chunks where account_id = ${accountId}) as chunks,
      (select count(*)::int from webhook_events where account_id = ${accountId}) as events`.execute(room.db);
  return rows[0];
};
const allAre = (accountId: AccountId, state: string) =>
  room.eventually(async () =>
    expect(new Set((await room.eventsOf(accountId)).map((event) => event.state))).toEqual(new Set([state])),
  );
const read = ({ body }: Received) => JSON.parse(body) as { type: EventType; data: { _id: MessageId } };
/** The types of each message's events in the order in which they were taken. */
const storyOf = (received: Received[]): Map<MessageId, EventType[]> => {
  const story = new Map<MessageId, EventType[]>();
  for (const { type, data } of received.map(read))
    story.set(data._id, [...(story.get(data._id) ?? []), type]);
  return story;
};

test('a flush of events is a row for each hundred, delivered with an id for each and written as a whole', async () => {
  const receiver = await room.receive();
  const accountId = await room.customerAt(receiver);
  const ids = await room.makeMessages(accountId, { count: 250 });
  expect(await rowsOf(accountId)).toEqual({ chunks: 3, events: 0 });
  const events = await room.eventsOf(accountId);
  expect(events.map(({ message_id }) => message_id)).toEqual(ids);
  serve();
  await allAre(accountId, 'DELIVERED');
  expect(receiver.received).toHaveLength(250);
  expect(receiver.ids()).toEqual(new Set(events.map(({ id }) => `evt_${id}`)));
  expect(await rowsOf(accountId)).toEqual({ chunks: 3, events: 0 });
  expect((await room.eventsOf(accountId))[7]).toMatchObject({
    attempts: 1,
    answer_status: 200,
    next_at: null,
  });
});

test('the events of a message arrive in their order, however long the receiver takes for each', async () => {
  let times = 0;
  const answered: Received[] = [];
  const receiver = await room.receive((response, received) => {
    times += 1;
    setTimeout(
      () => {
        answered.push(received);
        BEHAVIOURS.answer(response, received);
      },
      (times * 7) % 20,
    );
  });
  const accountId = await room.customerAt(receiver);
  await room.makeMessages(accountId, { count: 30, events: [...LIFE] });
  serve();
  await allAre(accountId, 'DELIVERED');
  const expected = LIFE.map((event) => `message.${event}`);
  for (const types of storyOf(answered).values()) expect(types).toEqual(expected);
  for (const types of storyOf(receiver.received).values()) expect(types).toEqual(expected);
});

test('an event that fails leaves its chunk, is tried again unchanged, and the later ones of its message wait', async () => {
  let failing: MessageId | undefined;
  const failed: Received[] = [];
  const receiver = await room.receive((response, received) => {
    const { type, data } = read(received);
    const fails = data._id === failing && type === 'message.sent' && failed.length < 2;
    if (fails) failed.push(received);
    (fails ? BEHAVIOURS.fail : BEHAVIOURS.answer)(response, received);
  });
  const accountId = await room.customerAt(receiver);
  const ids = await room.makeMessages(accountId, { count: 20, events: [...LIFE] });
  failing = ids[4] as MessageId;
  serve({ firstRetryMs: 1_000 });
  await room.eventually(() => expect(failed.length).toBeGreaterThan(0));
  await room.eventually(async () => expect((await rowsOf(accountId))?.events).toBeGreaterThan(0));
  await sql`update messages set provider_message_id = 'later', reason = 'later' where id = ${failing}`.execute(
    room.db,
  );
  await allAre(accountId, 'DELIVERED');
  const same = receiver.received.filter(({ id }) => id === failed[0]?.id);
  expect(same.map(({ body }) => body)).toEqual(Array(3).fill(failed[0]?.body));
  const story = storyOf(receiver.received.filter((one) => !failed.includes(one)));
  expect(story.get(failing)).toEqual(LIFE.map((event) => `message.${event}`));
  expect(receiver.received).toHaveLength(82);
  const told = await listMessageEvents(room.db, { accountId, messageId: failing });
  expect(told.map(({ type, attempts }) => [type, attempts])).toEqual([
    ['message.accepted', 1],
    ['message.sent', 3],
    ['message.delivered', 1],
    ['message.read', 1],
  ]);
});

test('an event says what was true then, whatever has become of the message', async () => {
  const accountId = await room.customerAt(NOWHERE);
  const [id = ''] = await room.makeMessages(accountId, { events: [...LIFE] });
  await sql`update messages set status = 'SUCCESS', provider_message_id = 'c-1', sent_at = '2026-11-15T06:40:20.104Z',
    delivered_at = '2026-11-15T06:40:21Z', read_at = '2026-11-15T06:40:22Z', sender = 'Shop "A"' where id = ${id}`.execute(
    room.db,
  );
  const events = await room.eventsOf(accountId);
  for (const { data } of events) eventPayload.shape.data.parse(data);
  const nothing = { sentAt: null, deliveredAt: null, readAt: null };
  const sentAt = '2026-11-15T06:40:20.104Z';
  const deliveredAt = '2026-11-15T06:40:21.000Z';
  const known = { status: 'SUCCESS', providerMessageId: 'c-1', fromPhone: 'Shop "A"' };
  expect(events.map(({ data }) => data)).toMatchObject([
    { status: 'PENDING', providerMessageId: null, ...nothing },
    { ...known, ...nothing, sentAt },
    { ...known, ...nothing, sentAt, deliveredAt },
    { ...known, sentAt, deliveredAt, readAt: '2026-11-15T06:40:22.000Z' },
  ]);
});

test('a failure with unknown outcome stays one after the carrier has reported', async () => {
  const accountId = await room.customerAt(NOWHERE);
  const [id] = (await room.makeMessages(accountId, { events: [] })) as [MessageId];
  const { rows } = await sql<{ createdAt: string }>`
    update messages set status = 'FAILED', error_code = 'UNDELIV', reason = 'No.', provider_message_id = 'c-2'
    where id = ${id} returning created_at::text as "createdAt"`.execute(room.db);
  const event = { event: 'failed' as const, id, accountId, createdAt: rows[0]?.createdAt };
  await room.publish(room.db, [{ ...event, unknown: true }]);
  await room.publish(room.db, [event]);
  expect((await room.eventsOf(accountId)).map(({ type, data }) => ({ ...data, type }))).toMatchObject([
    {
      type: 'message.failed',
      status: 'FAILED_WITH_EXCEPTION',
      errorCode: 'E_UNKNOWN_OUTCOME',
      reason: '',
      providerMessageId: null,
    },
    {
      type: 'message.failed',
      status: 'FAILED',
      errorCode: 'UNDELIV',
      reason: 'No.',
      providerMessageId: 'c-2',
    },
  ]);
});

test('who stops in the middle of a chunk has delivered what was answered, and nothing is sent twice', async () => {
  const receiver = await room.receive((response, received) => {
    setTimeout(() => BEHAVIOURS.answer(response, received), 50);
  });
  const accountId = await room.customerAt(receiver);
  await room.makeMessages(accountId, { count: 60 });
  serve();
  await room.eventually(() => expect(receiver.received.length).toBeGreaterThan(5));
  await served?.stop(10_000);
  const states = (await room.eventsOf(accountId)).map(({ state }) => state);
  expect(states.filter((state) => state === 'DELIVERED')).toHaveLength(receiver.received.length);
  expect(states).toContain('WAITING');
  serve();
  await allAre(accountId, 'DELIVERED');
  expect(receiver.received).toHaveLength(60);
});

test('events are published by the statement that makes them true, for subscribers only', async () => {
  const wanting = await room.customerAt(NOWHERE);
  const others = await Promise.all([room.funded(1), room.customerAt(NOWHERE)]);
  await room.setWebhook(others[1], '');
  const accounts = [wanting, ...others];
  const rows = sql`(select account_id, gen_random_uuid() as id, now() as created_at, 'sent' as kind from given)`;
  await sql`with given as (select unnest(${accounts}::uuid[]) as account_id), published as (${room.publishingRows(rows)})
    select from given`.execute(room.db);
  for (const [at, accountId] of accounts.entries())
    expect((await rowsOf(accountId))?.chunks).toBe(at === 0 ? 1 : 0);
});

test('what a statement says of one message has the order of its life', async () => {
  const accountId = await room.customerAt(NOWHERE);
  const [id] = (await room.makeMessages(accountId, { events: [] })) as [MessageId];
  await room.publish(
    room.db,
    (['read', 'delivered', 'sent'] as const).map((event) => ({ event, id, accountId })),
  );
  const { rows } =
    await sql`select kind from webhook_chunks where account_id = ${accountId} order by id`.execute(room.db);
  expect(rows).toEqual([{ kind: 'sent' }, { kind: 'delivered' }, { kind: 'read' }]);
});

test('workers are notified of events only if nobody serves the endpoint', async () => {
  const accountId = await room.customerAt(NOWHERE);
  const heard: string[] = [];
  const forget = room.notices.hear(({ kind, accountId: id }) => heard.push(`${kind} ${id}`));
  await room.makeMessages(accountId);
  await room.eventually(() => expect(heard).toContain(`event ${accountId}`));
  heard.splice(0);
  await takeEndpoint(room.db, accountId, { holder: '00000000-0000-4000-8000-000000000000', leaseMs: 60_000 });
  await room.makeMessages(accountId);
  const other = await room.customerAt(NOWHERE);
  await room.makeMessages(other);
  await room.eventually(() => expect(heard).toContain(`event ${other}`));
  expect(heard).not.toContain(`event ${accountId}`);
  forget();
});

test('new events reach a receiver that is being served, without a notification', async () => {
  const receiver = await room.receive();
  const accountId = await room.customerAt(receiver);
  serve({ lingerMs: 60_000, pollMs: 60_000 });
  await room.makeMessages(accountId);
  await allAre(accountId, 'DELIVERED');
  await room.makeMessages(accountId, { count: 3 });
  await room.eventually(() => expect(receiver.received).toHaveLength(4));
});

test('events of messages that are gone are parked', async () => {
  const receiver = await room.receive();
  const accountId = await room.customerAt(receiver);
  await room.publish(room.db, [{ event: 'sent', id: accountId as string as MessageId, accountId }]);
  serve();
  await allAre(accountId, 'PARKED');
  expect(receiver.received).toEqual([]);
});
