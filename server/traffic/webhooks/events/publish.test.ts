import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { eventPayload } from '../../../../contract/traffic/webhooks.ts';
import { type ScriptedCarrier, scriptedCarrier } from '../../../../test/delivery.ts';
import { openTestWebhooks, type TestWebhooks } from '../../../../test/webhooks/webhooks.ts';
import { accountsHaving, findOptedOut } from '../../../customer/opt-outs/index.ts';
import { openOwnDevices } from '../../../fleet/devices/index.ts';
import { runDelivery } from '../../delivery/index.ts';
import { type Lane, newWorker } from '../../lanes/index.ts';
import { accept, openSending, prepare, readTerms } from '../../sending/index.ts';

const SILENT = { info: () => {}, warn: () => {}, error: () => {} };
const NOWHERE = 'http://127.0.0.1:9/';

let room: TestWebhooks;
let lane: Lane;
let scripted: ScriptedCarrier;
let delivery: ReturnType<typeof runDelivery>;
let wanting: AccountId;
let silent: AccountId;
beforeAll(async () => {
  room = await openTestWebhooks();
  scripted = scriptedCarrier();
  lane = await room.addLane(() => scripted.carrier);
  const timing = { gatherMs: 10, pollMs: 50 };
  delivery = runDelivery({
    db: room.db,
    url: room.url,
    log: SILENT,
    worker: newWorker('test'),
    lanes: [lane],
    timing,
    publisher: room,
  });
  wanting = await room.customerAt({ url: NOWHERE });
  silent = await room.funded(10);
});
afterAll(async () => {
  await delivery.stop(500);
  await room.close();
});

const sendOne = async (accountId: AccountId): Promise<MessageId> => {
  const [id] = (await room.accept({ accountId, lane })) as [MessageId];
  return id;
};
const typesOf = async (id: MessageId): Promise<string[]> =>
  (await room.eventsOf(wanting)).filter((event) => event.message_id === id).map(({ type }) => type);
const toldOf = (id: MessageId, types: string[]) =>
  room.eventually(async () => expect((await typesOf(id)).toSorted()).toEqual(types.toSorted()));
const receipt = (id: MessageId, state: 'delivered' | 'read' | 'failed') =>
  scripted.script.events?.receipt({ providerMessageId: `c-${id}`, state, at: new Date(), code: '' });

test('a message that was sent, delivered and read is told of each, once however often it is said', async () => {
  const id = await sendOne(wanting);
  await toldOf(id, ['message.sent']);
  await receipt(id, 'delivered');
  await receipt(id, 'delivered');
  await toldOf(id, ['message.sent', 'message.delivered']);
  await Promise.all([receipt(id, 'delivered'), receipt(id, 'read'), receipt(id, 'read')]);
  await receipt(id, 'read');
  await toldOf(id, ['message.sent', 'message.delivered', 'message.read']);
});

test('the event has the message as it was then, and its time', async () => {
  const id = await sendOne(wanting);
  await toldOf(id, ['message.sent']);
  await receipt(id, 'delivered');
  await toldOf(id, ['message.sent', 'message.delivered']);
  const [sent, delivered] = (await room.eventsOf(wanting)).filter((event) => event.message_id === id);
  expect(sent?.data).toEqual({
    _id: id,
    identifier: null,
    batchId: expect.any(String),
    channel: 'sms',
    type: 'outgoing',
    phone: '+85261000000',
    fromPhone: null,
    status: 'SUCCESS',
    reason: '',
    errorCode: '',
    segments: 1,
    price: 0.032051,
    currency: 'USD',
    test: false,
    providerMessageId: `c-${id}`,
    message: null,
    content: null,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    sentAt: expect.any(String),
    deliveredAt: null,
    readAt: null,
  });
  for (const event of await room.eventsOf(wanting)) eventPayload.shape.data.parse(event.data);
  expect(delivered?.data).toMatchObject({ deliveredAt: expect.any(String), readAt: null });
});

test('a refusal and a failed receipt are told as failed', async () => {
  scripted.script.answer = () => ({ outcome: 'refused', code: 'NO', reason: 'No.', retryable: false });
  const refused = await sendOne(wanting);
  await toldOf(refused, ['message.failed']);
  scripted.script.answer = ({ id }) => ({ outcome: 'accepted', providerMessageId: `c-${id}` });
  const [event] = (await room.eventsOf(wanting)).filter(({ message_id }) => message_id === refused);
  expect(event?.data).toMatchObject({ status: 'FAILED', errorCode: 'NO', reason: 'No.' });
  const undelivered = await sendOne(wanting);
  await toldOf(undelivered, ['message.sent']);
  await receipt(undelivered, 'failed');
  await toldOf(undelivered, ['message.sent', 'message.failed']);
});

test('an outcome that nobody knows is told once it is given up', async () => {
  scripted.script.answer = () => ({ outcome: 'unknown', reason: 'cut' });
  const id = await sendOne(wanting);
  await room.eventually(async () => expect((await room.read([id]))[0]?.unknownSince).not.toBeNull());
  scripted.script.answer = (message) => ({ outcome: 'accepted', providerMessageId: `c-${message.id}` });
  expect(await typesOf(id)).toEqual([]);
  await room.giveUpUnknown();
  expect(await typesOf(id)).toEqual(['message.failed']);
  const [event] = (await room.eventsOf(wanting)).filter(({ message_id }) => message_id === id);
  expect(event?.data).toMatchObject({ status: 'FAILED_WITH_EXCEPTION' });
});

test('an incoming message is told with its text and its sender, once', async () => {
  const [id] = (await room.accept({ accountId: wanting, lane, recipient: () => '+85262223333' })) as [
    MessageId,
  ];
  await toldOf(id, ['message.sent']);
  const inbound = {
    providerMessageId: 'in-1',
    from: '+85262223333',
    to: '12345',
    text: '收到 👍 "quoted"',
    at: new Date(),
  };
  await scripted.script.events?.inbound(inbound);
  await scripted.script.events?.inbound(inbound);
  const told = (await room.eventsOf(wanting)).filter(({ type }) => type === 'message.inbound');
  expect(told).toHaveLength(1);
  expect(told[0]?.data).toMatchObject({
    type: 'incoming',
    phone: inbound.from,
    fromPhone: inbound.to,
    message: inbound.text,
    status: 'SUCCESS',
  });
});

test('nothing is written for one without a webhook', async () => {
  const id = await sendOne(silent);
  await room.become([id], 'SUCCESS');
  await receipt(id, 'delivered');
  expect(await room.eventsOf(silent)).toEqual([]);
});

test('who takes the webhook away is told nothing more, and who sets one is told at once', async () => {
  const accountId = await room.customerAt({ url: NOWHERE });
  await room.become([await sendOne(accountId)], 'SUCCESS');
  await room.setWebhook(accountId, '');
  await room.become([await sendOne(accountId)], 'SUCCESS');
  expect(await room.eventsOf(accountId)).toHaveLength(1);
  await room.setWebhook(accountId, NOWHERE);
  // Those who publish hear of it by a notification.
  await room.eventually(() => expect(room.hasSubscriber([accountId])).toBe(true));
  await room.become([await sendOne(accountId)], 'SUCCESS');
  expect(await room.eventsOf(accountId)).toHaveLength(2);
});

test('what is rolled back was never told', async () => {
  const id = await sendOne(wanting);
  await toldOf(id, ['message.sent']);
  const before = (await room.eventsOf(wanting)).length;
  const { rows } = await sql<{ createdAt: string }>`
    select created_at::text as "createdAt" from messages where id = ${id}`.execute(room.db);
  const event = { event: 'read' as const, id, accountId: wanting, createdAt: rows[0]?.createdAt };
  await expect(
    room.db.transaction().execute(async (trx) => {
      await room.publish(trx, [event]);
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await room.eventsOf(wanting)).toHaveLength(before);
  await room.db.transaction().execute((trx) => room.publish(trx, [event]));
  expect(await room.eventsOf(wanting)).toHaveLength(before + 1);
});

test('accepted messages are told, singly and by the file, with those of others left out', async () => {
  const messages = await openSending({
    devices: openOwnDevices({ db: room.db }),
    db: room.db,
    queue: room.deps.queue,
    wake: async () => {},
    optOuts: { find: findOptedOut, having: accountsHaving },
    publisher: room,
  });
  const senders = await Promise.all([room.customerAt({ url: NOWHERE }), room.funded(10)]);
  for (const accountId of senders) {
    const terms = await readTerms(messages, { accountId, channel: 'sms', test: false });
    const chunks = [0, 1].map((chunk) =>
      Array.from({ length: 30 }, (_, at) =>
        prepare(terms, { recipientRaw: `+8526${chunk}00${String(at).padStart(4, '0')}`, message: 'hello' }),
      ),
    );
    await accept(messages, { accountId, channel: 'sms', kind: 'CSV', terms, chunks });
    await messages.send({
      sender: { accountId, test: false },
      channel: 'sms',
      wanted: { recipientRaw: '+85261112222', message: 'hello' },
      idempotencyKey: undefined,
    });
  }
  const [told = [], untold] = await Promise.all(senders.map(room.eventsOf));
  expect(untold).toEqual([]);
  const accepted = told.filter(({ type }) => type === 'message.accepted');
  expect(accepted).toHaveLength(61);
  expect(new Set(accepted.map(({ message_id }) => message_id)).size).toBe(61);
  expect(accepted[0]?.data).toMatchObject({ status: 'PENDING', price: 0.032051, segments: 1 });
});
