import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { BEHAVIOURS, type Received } from '../../../../test/emulators/webhook-receiver.ts';
import { openTestWebhooks, type TestWebhooks } from '../../../../test/webhooks/webhooks.ts';
import { readEndpoint, takeEndpoint } from '../endpoints/endpoint-store.ts';
import { openSecrets, rotateSigningSecret, withSecret } from '../endpoints/secrets.ts';
import { webhookMails } from '../endpoints/webhook-mails.ts';
import { REQUESTS } from './request-window.ts';

let room: TestWebhooks;
let served: ReturnType<TestWebhooks['serve']> | undefined;
const serve = (timing = {}) => {
  served = room.serve(timing);
  return served;
};
beforeAll(async () => {
  room = await openTestWebhooks({ answerMs: 5_000 });
});
afterEach(async () => {
  await served?.stop(10_000);
  served = undefined;
  // A hanging request would be retried in the next test too.
  await sql`update webhook_endpoints set url = ''`.execute(room.db);
});
afterAll(() => room.close());

/** As a receiver verifies it, following the specification. */
const isSigned = ({ id, timestamp, signature, body }: Received, secret: string): boolean => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return signature.split(' ').includes(`v1,${expected}`);
};
const secretsOf = async (accountId: AccountId): Promise<string[]> =>
  openSecrets(room.hooks, accountId, await withSecret(room.hooks, accountId));
const statesOf = async (accountId: AccountId): Promise<string[]> =>
  (await room.eventsOf(accountId)).map(({ state }) => state);
const stateIs = (accountId: AccountId, state: string) =>
  room.eventually(async () => expect(new Set(await statesOf(accountId))).toEqual(new Set([state])));

test('every event arrives, signed, with its id, no more than sixteen at once, and the answer is kept', async () => {
  const receiver = await room.receive((response, received) => {
    setTimeout(() => BEHAVIOURS.answer(response, received), 3);
  });
  const accountId = await room.customerAt(receiver);
  serve();
  const ids = await room.makeEvents(accountId, 100);
  await stateIs(accountId, 'DELIVERED');
  expect(receiver.ids()).toEqual(new Set(ids.map((id) => `evt_${id}`)));
  expect(receiver.received).toHaveLength(100);
  expect(receiver.state.mostAtOnce).toBeLessThanOrEqual(REQUESTS.most);
  const [secret = ''] = await secretsOf(accountId);
  for (const one of receiver.received) expect(isSigned(one, secret)).toBe(true);
  const [event] = await room.eventsOf(accountId);
  expect(event).toMatchObject({ attempts: 1, answer_status: 200, answer_body: 'thank you', next_at: null });
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({
    type: 'webhook.test',
    timestamp: expect.stringMatching(/Z$/),
    data: { at: expect.any(Number) },
  });
});

test('what fails is tried again with the same id and body until it is taken', async () => {
  let times = 0;
  const receiver = await room.receive((response, received) => {
    times += 1;
    (times <= 3 ? BEHAVIOURS.fail : BEHAVIOURS.answer)(response, received);
  });
  const accountId = await room.customerAt(receiver);
  serve();
  const [id] = await room.makeEvents(accountId);
  await stateIs(accountId, 'DELIVERED');
  expect(receiver.received.map((one) => one.id)).toEqual(Array(4).fill(`evt_${id}`));
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect((await room.eventsOf(accountId))[0]).toMatchObject({ attempts: 4, answer_status: 200 });
  expect(await readEndpoint(room.db, accountId)).toMatchObject({ failures: 0, failingSince: null });
});

test('after its time an event is parked, and not tried by itself any more', async () => {
  const receiver = await room.receive(BEHAVIOURS.fail);
  const accountId = await room.customerAt(receiver);
  // Longer than a busy machine needs for a first try and another one.
  serve({ giveUpMs: 3_000 });
  await room.makeEvents(accountId);
  await stateIs(accountId, 'PARKED');
  expect(receiver.received.length).toBeGreaterThan(1);
  expect((await room.eventsOf(accountId))[0]).toMatchObject({ answer_status: 500, next_at: null });
});

test('one that hangs, one that fails and one that closes slow nobody else', async () => {
  const bad = await Promise.all(
    [BEHAVIOURS.hang, BEHAVIOURS.fail, BEHAVIOURS.close, BEHAVIOURS.redirect].map((one) => room.receive(one)),
  );
  for (const receiver of bad) await room.makeEvents(await room.customerAt(receiver), 200);
  const good = await room.receive();
  const accountId = await room.customerAt(good);
  serve({ longestPauseMs: 5_000 });
  await room.makeEvents(accountId, 200);
  await stateIs(accountId, 'DELIVERED');
  expect(good.ids().size).toBe(200);
  for (const { state, received } of bad) {
    expect(state.mostAtOnce).toBeLessThanOrEqual(REQUESTS.first);
    // They are left alone for longer and longer, instead of being called for each event.
    expect(received.length).toBeLessThan(100);
  }
});

test('410 Gone ends it, the customer is told once, and resuming begins again', async () => {
  const receiver = await room.receive(BEHAVIOURS.gone);
  const accountId = await room.customerAt(receiver);
  serve();
  await room.makeEvents(accountId, 3);
  await room.eventually(async () => expect((await readEndpoint(room.db, accountId))?.goneAt).not.toBeNull());
  const before = receiver.received.length;
  expect(before).toBeLessThanOrEqual(4);
  await room.makeEvents(accountId, 3);
  await room.eventually(() =>
    expect(room.jobs.filter(({ name }) => name === webhookMails.task)).not.toEqual([]),
  );
  const mails = room.jobs.splice(0).filter(({ name }) => name === webhookMails.task);
  expect(mails).toHaveLength(1);
  await room.runTask(webhookMails.task, mails[0]?.data);
  const [mail] = room.sent.splice(0);
  expect(mail?.text).toContain('127.0.0.1');
  expect(mail?.text).toContain('/dashboard/integration/events');
  expect(receiver.received).toHaveLength(before);
  receiver.state.behaviour = BEHAVIOURS.answer;
  await room.setWebhook(accountId, receiver.url);
  await room.eventually(async () => expect(await statesOf(accountId)).not.toContain('WAITING'));
  expect(await statesOf(accountId)).toContain('DELIVERED');
});

test('429 with Retry-After is honoured for the whole endpoint', async () => {
  const receiver = await room.receive(BEHAVIOURS.busy);
  const accountId = await room.customerAt(receiver);
  serve();
  await room.makeEvents(accountId, 20);
  await room.eventually(async () =>
    expect((await readEndpoint(room.db, accountId))?.pausedUntil).not.toBeNull(),
  );
  await served?.stop(10_000);
  const { pausedUntil } = (await readEndpoint(room.db, accountId)) as { pausedUntil: Date };
  const first = receiver.received[0]?.at ?? 0;
  expect(pausedUntil.getTime() - first).toBeGreaterThanOrEqual(1_900);
  expect(receiver.received.length).toBeLessThanOrEqual(4);
});

test('who fails for long gets one mail, and another only after it went well again', async () => {
  const receiver = await room.receive(BEHAVIOURS.fail);
  const accountId = await room.customerAt(receiver);
  const mailsOf = () =>
    room.jobs.filter(
      ({ name, data }) => name === webhookMails.task && 'accountId' in data && data.accountId === accountId,
    );
  serve({ mailAfterMs: 150 });
  await room.makeEvents(accountId, 5);
  await room.eventually(() => expect(mailsOf()).toHaveLength(1));
  const tries = receiver.received.length;
  await room.eventually(() => expect(receiver.received.length).toBeGreaterThan(tries + 3));
  expect(mailsOf()).toHaveLength(1);
  expect(mailsOf()[0]?.data).toMatchObject({ kind: 'failing' });
  receiver.state.behaviour = BEHAVIOURS.answer;
  await stateIs(accountId, 'DELIVERED');
  // The endpoint works again: the mail would only confuse.
  await room.runTask(webhookMails.task, mailsOf()[0]?.data);
  expect(room.sent.splice(0)).toEqual([]);
  receiver.state.behaviour = BEHAVIOURS.fail;
  await room.makeEvents(accountId, 5);
  await room.eventually(() => expect(mailsOf()).toHaveLength(2));
});

test('what a dead process had claimed is sent by another, with the same ids', async () => {
  const receiver = await room.receive();
  const accountId = await room.customerAt(receiver);
  await takeEndpoint(room.db, accountId, { holder: '00000000-0000-4000-8000-000000000000', leaseMs: 700 });
  const ids = await room.makeEvents(accountId, 10);
  serve();
  await stateIs(accountId, 'DELIVERED');
  expect(receiver.ids()).toEqual(new Set(ids.map((id) => `evt_${id}`)));
});

test('two processes share the work and send nothing twice', async () => {
  const receivers = await Promise.all(Array.from({ length: 6 }, () => room.receive()));
  const accounts = await Promise.all(receivers.map(room.customerAt));
  serve();
  const other = room.serve();
  await Promise.all(accounts.map((accountId) => room.makeEvents(accountId, 100)));
  for (const accountId of accounts) await stateIs(accountId, 'DELIVERED');
  for (const { received } of receivers) expect(received).toHaveLength(100);
  await other.stop(10_000);
});

test('stopping waits for what is in flight and loses nothing', async () => {
  const receiver = await room.receive((response, received) => {
    setTimeout(() => BEHAVIOURS.answer(response, received), 100);
  });
  const accountId = await room.customerAt(receiver);
  serve();
  await room.makeEvents(accountId, 50);
  await room.eventually(() => expect(receiver.received.length).toBeGreaterThan(0));
  await served?.stop(10_000);
  const delivered = (await statesOf(accountId)).filter((state) => state === 'DELIVERED').length;
  expect(delivered).toBe(receiver.received.length);
  expect(delivered).toBeLessThan(50);
  serve();
  await stateIs(accountId, 'DELIVERED');
  expect(receiver.received).toHaveLength(50);
});

test('after a rotation both secrets sign, and the old one stops when its time is over', async () => {
  const receiver = await room.receive();
  const accountId = await room.customerAt(receiver);
  serve();
  const [old = ''] = await secretsOf(accountId);
  await rotateSigningSecret(room.hooks, accountId);
  const secrets = await secretsOf(accountId);
  expect(secrets).toEqual([expect.stringMatching(/^whsec_/), old]);
  await room.makeEvents(accountId);
  await stateIs(accountId, 'DELIVERED');
  for (const secret of secrets) expect(isSigned(receiver.received[0] as Received, secret)).toBe(true);
  await sql`update webhook_endpoints set previous_until = now() where account_id = ${accountId}`.execute(
    room.db,
  );
  expect(await secretsOf(accountId)).toEqual([secrets[0]]);
});

test('the old secret stops after 24 hours also where the endpoint is never idle', async () => {
  const receiver = await room.receive();
  const accountId = await room.customerAt(receiver);
  const [old = ''] = await secretsOf(accountId);
  await rotateSigningSecret(room.hooks, accountId);
  const [present = ''] = await secretsOf(accountId);
  serve({ lingerMs: 60_000 });
  await room.makeEvents(accountId);
  await stateIs(accountId, 'DELIVERED');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 3_600_000 });
  try {
    await room.makeEvents(accountId);
    await stateIs(accountId, 'DELIVERED');
  } finally {
    vi.useRealTimers();
  }
  const signedBy = (secret: string) => receiver.received.map((one) => isSigned(one, secret));
  expect([signedBy(old), signedBy(present)]).toEqual([
    [true, false],
    [true, true],
  ]);
});

test('a new address gets what waits, at once, also where the old one had failed', async () => {
  const old = await room.receive(BEHAVIOURS.fail);
  const accountId = await room.customerAt(old);
  serve({ longestPauseMs: 60_000, firstPauseMs: 60_000 });
  await room.makeEvents(accountId, 20);
  await room.eventually(async () =>
    expect((await readEndpoint(room.db, accountId))?.pausedUntil).not.toBeNull(),
  );
  const receiver = await room.receive();
  await room.setWebhook(accountId, receiver.url);
  await stateIs(accountId, 'DELIVERED');
  expect(receiver.ids().size).toBe(20);
});
