import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Channel } from '../../../contract/ground/channels.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { readChannels } from '../sending/index.ts';

const room = await openTestMessages();
const { db } = room;
afterAll(room.close);
beforeEach(async () => {
  await sql`truncate lanes restart identity cascade`.execute(db);
});

const sent = async ({ channel = 'sms' as Channel, test = false } = {}) => {
  const accountId = await room.funded(1);
  const { send } = await room.open();
  const phone = channel === 'email' ? 'jo@example.com' : '61112222';
  const answer = await send({
    sender: { accountId, test },
    channel,
    wanted: { recipientRaw: phone, message: 'hello' },
    idempotencyKey: undefined,
  });
  const [message] = await room.messagesOf(accountId);
  return { ...answer, lane: message?.lane_id, charged: 1_000_000n - (await room.balance(accountId)) };
};
const none = { code: 'E_NO_LANE' };

test('the preferred lane of the channel is taken', async () => {
  await room.addLane({ name: 'second', channel: 'sms', preference: 20 });
  const first = await room.addLane({ name: 'first', channel: 'sms', preference: 10 });
  await room.addLane({ name: 'email', channel: 'email', preference: 1 });
  await room.addLane({ name: 'former', channel: 'sms', preference: 1, mode: 'removed' });
  expect(await sent()).toMatchObject({ lane: first, test: false });
});

test('a lane that is down is passed over while another is not; if all are, the message waits', async () => {
  const down = await room.addLane({ name: 'down', channel: 'sms', preference: 1, up: false });
  expect(await sent()).toMatchObject({ lane: down });
  const unknown = await room.addLane({ name: 'other', channel: 'sms', preference: 2, up: null });
  expect(await sent()).toMatchObject({ lane: unknown });
});

test('where there are only simulators they serve everyone: marked as a test, but charged', async () => {
  const lane = await room.addLane({ name: 'simulator', channel: 'sms', simulated: true });
  expect(await sent()).toMatchObject({ lane, test: true, charged: 32_051n, price: 0.032051 });
});

test('with something real configured a simulator is never chosen instead, in no channel', async () => {
  await room.addLane({ name: 'real', channel: 'sms', preference: 100, up: false });
  const simulator = await room.addLane({
    name: 'sms-simulator',
    channel: 'sms',
    simulated: true,
    preference: 1,
  });
  await room.addLane({ name: 'email-simulator', channel: 'email', simulated: true });
  expect((await sent()).lane).not.toBe(simulator);
  await expect(sent({ channel: 'email' })).rejects.toMatchObject(none);
});

test('the test secret goes through the simulator even then, free of charge', async () => {
  await room.addLane({ name: 'real', channel: 'sms', preference: 1 });
  const lane = await room.addLane({ name: 'simulator', channel: 'sms', simulated: true });
  expect(await sent({ test: true })).toMatchObject({ lane, test: true, price: 0, charged: 0n });
});

test('without a simulator the test secret never sends for real', async () => {
  await room.addLane({ name: 'real', channel: 'sms' });
  await expect(sent({ test: true })).rejects.toMatchObject(none);
});

test('without any lane nothing is accepted', async () => {
  await expect(sent()).rejects.toMatchObject(none);
});

test('the price follows the lane’s carrier', async () => {
  await room.addLane({ name: 'real', channel: 'sms', carrier: 'csl' });
  await sql`insert into prices (channel, country, carrier, unit_micros) values ('sms', 'HK', 'csl', 11000),
    ('sms', 'HK', 'three', 12000)`.execute(db);
  expect(await sent()).toMatchObject({ charged: 11_000n, price: 0.011 });
});

test('what costs nothing is accepted without a balance', async () => {
  await room.addLane({ name: 'whatsapp', channel: 'whatsapp' });
  await sql`update prices set unit_micros = 0 where channel = 'whatsapp'`.execute(db);
  expect(await sent({ channel: 'whatsapp' })).toMatchObject({ charged: 0n, price: 0, balance: 1 });
});

test('a channel is offered as it would be sent by', async () => {
  const channels = async () => readChannels(await room.open());
  const none = { available: false, simulated: false };
  expect(await channels()).toEqual({ sms: none, whatsapp: none, email: none });
  await room.addLane({ name: 'simulator', channel: 'sms', simulated: true });
  await room.addLane({ name: 'simulator-email', channel: 'email', simulated: true });
  const simulated = { available: true, simulated: true };
  expect(await channels()).toEqual({ sms: simulated, whatsapp: none, email: simulated });
  await room.addLane({ name: 'real', channel: 'sms', up: false });
  expect(await channels()).toEqual({
    sms: { available: true, simulated: false },
    whatsapp: none,
    email: none,
  });
});
