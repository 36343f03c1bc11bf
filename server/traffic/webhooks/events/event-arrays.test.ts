import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { type EventType, eventArray } from '../../../../contract/traffic/webhooks.ts';
import { BEHAVIOURS, type Behaviour, type Received } from '../../../../test/emulators/webhook-receiver.ts';
import { openTestWebhooks, type TestWebhooks } from '../../../../test/webhooks/webhooks.ts';
import { readEndpoint, setEventsPerCall } from '../endpoints/endpoint-store.ts';
import { currentSecret } from '../endpoints/secrets.ts';
import { sendTest } from '../endpoints/send-test.ts';

let room: TestWebhooks;
let served: ReturnType<TestWebhooks['serve']> | undefined;
beforeAll(async () => {
  room = await openTestWebhooks({ answerMs: 5_000 });
});
afterEach(async () => {
  await served?.stop(10_000);
  await sql`update webhook_endpoints set url = ''`.execute(room.db);
});
afterAll(() => room.close());

interface Sent {
  id: string;
  type: EventType;
  data: { _id: string };
}
const arrayOf = ({ body }: Received): Sent[] => JSON.parse(body);
const sizesOf = (received: Received[]): number[] => received.map((one) => arrayOf(one).length);

const customerOf = async (behaviour: Behaviour, eventsPerCall = 500) => {
  const receiver = await room.receive(behaviour);
  const accountId = await room.customerAt(receiver);
  await room.addMoney(accountId, 100);
  await setEventsPerCall(room.db, accountId, eventsPerCall);
  return { receiver, accountId };
};
const delivered = (accountId: AccountId) =>
  room.eventually(async () =>
    expect(new Set((await room.eventsOf(accountId)).map(({ state }) => state))).toEqual(
      new Set(['DELIVERED']),
    ),
  );

test('up to as many events as chosen go in one array, signed as one, each with its own id', async () => {
  const { receiver, accountId } = await customerOf(BEHAVIOURS.answer);
  const ids = await room.makeMessages(accountId, { count: 700, events: ['accepted', 'sent'] });
  served = room.serve();
  await delivered(accountId);
  expect(Math.max(...sizesOf(receiver.received))).toBe(500);
  const sent = receiver.received.flatMap(arrayOf);
  const events = await room.eventsOf(accountId);
  expect(sent.map(({ id }) => id).sort()).toEqual(events.map(({ id }) => `evt_${id}`).sort());
  const seen = new Map<string, EventType[]>();
  for (const { type, data } of sent) seen.set(data._id, [...(seen.get(data._id) ?? []), type]);
  expect([...seen.values()]).toEqual(ids.map(() => ['message.accepted', 'message.sent']));
  const key = Buffer.from((await currentSecret(room.hooks, accountId)).slice('whsec_'.length), 'base64');
  for (const one of receiver.received) {
    const expected = createHmac('sha256', key)
      .update(`${one.id}.${one.timestamp}.${one.body}`)
      .digest('base64');
    expect(one.signature).toBe(`v1,${expected}`);
    expect(one.id).toMatch(/^call_[0-9a-f]{32}$/);
    eventArray.parse(JSON.parse(one.body));
  }
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(receiver.received.length);
});

test('a call that failed is repeated with the same events, and later ones of their messages wait', async () => {
  let times = 0;
  const { receiver, accountId } = await customerOf((response, received) => {
    times += 1;
    (times <= 2 ? BEHAVIOURS.fail : BEHAVIOURS.answer)(response, received);
  }, 20);
  await room.makeMessages(accountId, { count: 10, events: ['accepted', 'sent', 'delivered'] });
  served = room.serve();
  await delivered(accountId);
  const [first, second, ...taken] = receiver.received as [Received, Received, ...Received[]];
  expect([first, second].every(({ id }) => taken.some((one) => one.id === id))).toBe(true);
  const sent = taken.flatMap(arrayOf);
  expect(sent).toHaveLength(30);
  for (const { data } of sent.slice(0, 10))
    expect(sent.filter((one) => one.data._id === data._id).map(({ type }) => type)).toEqual([
      'message.accepted',
      'message.sent',
      'message.delivered',
    ]);
});

test('arrays that are too large for the receiver are halved at once, and that is no failure', async () => {
  const { receiver, accountId } = await customerOf((response, received) => {
    const tooLarge = arrayOf(received).length > 60;
    (tooLarge ? (one: typeof response) => one.writeHead(413).end() : BEHAVIOURS.answer)(response, received);
  });
  await room.makeMessages(accountId, { count: 600 });
  served = room.serve({ firstRetryMs: 60_000, longestRetryMs: 60_000 });
  await delivered(accountId);
  const taken = sizesOf(receiver.received).filter((size) => size <= 60);
  expect(taken.reduce((sum, size) => sum + size, 0)).toBe(600);
  expect(await readEndpoint(room.db, accountId)).toMatchObject({ failures: 0, failingSince: null });
});

test('after a timeout calls are smaller', async () => {
  const { receiver, accountId } = await customerOf((response, received) => {
    if (arrayOf(received).length <= 25) BEHAVIOURS.answer(response, received);
  }, 50);
  await room.makeMessages(accountId, { count: 50 });
  served = room.serve();
  await delivered(accountId);
  expect(sizesOf(receiver.received)[0]).toBe(50);
  expect(Math.max(...sizesOf(receiver.received).slice(1))).toBeLessThanOrEqual(25);
});

test('a test event is an array of one, and one a call is no array', async () => {
  const { receiver, accountId } = await customerOf(BEHAVIOURS.answer, 2);
  const id = await sendTest(room.hooks, accountId);
  served = room.serve();
  await room.eventually(() => expect(receiver.received).toHaveLength(1));
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject([
    { id: `evt_${id}`, type: 'webhook.test', data: { test: true } },
  ]);
  await setEventsPerCall(room.db, accountId, 1);
  await delivered(accountId);
  await sendTest(room.hooks, accountId);
  await room.eventually(() => expect(receiver.received).toHaveLength(2));
  expect(JSON.parse(receiver.received[1]?.body ?? '')).toMatchObject({ type: 'webhook.test' });
});

test('receivers that never answer share what is in memory, and the others get their events', async () => {
  const customers = await Promise.all(Array.from({ length: 6 }, () => customerOf(BEHAVIOURS.answer)));
  for (const { accountId } of customers) await room.makeMessages(accountId, { count: 600 });
  const healthy = customers.at(-1) as (typeof customers)[number];
  const { post } = room.hooks.receivers;
  const hanging: string[] = [];
  const ended = Promise.withResolvers<void>();
  // Nothing of the five others is answered while the sixth is served.
  served = room.serve(
    {},
    {
      mostEvents: 900,
      receivers: {
        ...room.hooks.receivers,
        post: async (request) => {
          if (request.url === healthy.receiver.url) return post(request);
          hanging.push(request.body);
          await ended.promise;
          return post(request);
        },
      },
    },
  );
  await room.eventually(() => expect(hanging.length).toBeGreaterThanOrEqual(5));
  await delivered(healthy.accountId);
  const held = hanging.flatMap((body) => JSON.parse(body) as Sent[]).length;
  // Each may have a chunk, of up to a hundred, and what it has read with it.
  expect(held).toBeLessThanOrEqual(900 + customers.length * 120);
  ended.resolve();
  for (const { accountId } of customers) await delivered(accountId);
});
