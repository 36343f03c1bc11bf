import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { makeStillDevice } from '../../../test/devices.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { chargeCard } from '../../customer/wallet/testing/index.ts';
import { readChannels } from './read-channels.ts';
import { sendMany } from './send-many.ts';

const room = await openTestMessages();
const { db } = room;
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});
/** An installation without anything real, but for its customers' devices. */
beforeEach(async () => {
  await sql`truncate lanes cascade`.execute(db);
  await room.addLane({ name: 'sms-simulator', channel: 'sms', simulated: true });
  await room.addLane({ name: 'whatsapp-simulator', channel: 'whatsapp', simulated: true });
});

const REAL = '+85261110001';
const device = (accountId: AccountId, simulated: boolean, phoneNumber = REAL) =>
  makeStillDevice(db, { accountId, simulated, phoneNumber });
const open = async () => {
  const { send } = await room.open();
  return (accountId: AccountId, given: { fromPhone?: string; sendAt?: string; test?: boolean } = {}) => {
    const { test: free = false, ...rest } = given;
    return send({
      sender: { accountId, test: free },
      channel: 'whatsapp',
      wanted: { recipientRaw: '+85261112222', message: 'hello', ...rest },
      idempotencyKey: undefined,
    });
  };
};
const sentOf = async (accountId: AccountId) => {
  const { rows } = await sql<{ test: boolean; lane: string }>`
    select m.test, l.name as lane from messages m join lanes l on l.id = m.lane_id
    where m.account_id = ${accountId} order by m.created_at, m.id`.execute(db);
  return rows;
};
const refused = (code: string) => ({ code });
const sandboxTopUp = async (accountId: AccountId, amount: string) => {
  const { processor } = room.deps;
  room.deps.processor = { ...processor, name: 'sandbox' };
  const cardId = await room.addCard(accountId);
  await chargeCard(room.deps, { accountId, cardId, amount, idempotencyKey: undefined });
  room.deps.processor = processor;
};

test('a real device sends for real what names it, and ends simulated sending for nobody', async () => {
  const [owner, other] = [await room.funded(1), await room.funded(1)];
  const real = await device(owner, false);
  const pretended = await device(other, true);
  const send = await open();
  expect(await send(owner, { fromPhone: real })).toMatchObject({ test: false });
  expect(await send(owner, { fromPhone: REAL })).toMatchObject({ test: false });
  expect(await send(owner)).toMatchObject({ test: true });
  expect(await send(other)).toMatchObject({ test: true });
  expect(await send(other, { fromPhone: pretended })).toMatchObject({ test: true });
  expect(await sentOf(owner)).toEqual([
    { test: false, lane: real },
    { test: false, lane: real },
    { test: true, lane: 'whatsapp-simulator' },
  ]);
  expect(await sentOf(other)).toEqual([
    { test: true, lane: 'whatsapp-simulator' },
    { test: true, lane: pretended },
  ]);
  const simulated = { available: true, simulated: true };
  expect(await readChannels(await room.open())).toMatchObject({ sms: simulated, whatsapp: simulated });
});

test('money of test cards never pays for what a real device sends, now or later, in a call of one or many', async () => {
  const accountId = await room.funded();
  await sandboxTopUp(accountId, '10');
  const real = await device(accountId, false);
  const send = await open();
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const balance = await room.balance(accountId);
  for (const given of [{ fromPhone: real }, { fromPhone: real, sendAt }])
    await expect(send(accountId, given)).rejects.toMatchObject(refused('E_SANDBOX_MONEY'));
  const many = await sendMany(await room.open(), {
    sender: { accountId, test: false },
    channel: 'whatsapp',
    body: {
      messages: [{ phone: '+85261112222', message: 'hello', fromPhone: real }],
      allOrNothing: false,
    } as never,
    idempotencyKey: undefined,
    language: 'en_US',
  });
  expect(many).toMatchObject({ accepted: 0, messages: [{ code: 'E_SANDBOX_MONEY' }] });
  expect(await room.balance(accountId)).toBe(balance);
  expect(await send(accountId)).toMatchObject({ test: true });
  await room.addMoney(accountId, 1);
  expect(await send(accountId, { fromPhone: real })).toMatchObject({ test: false });
});

test('a call of many is real as a whole, or simulated', async () => {
  const accountId = await room.funded(1);
  const [real, pretended] = [await device(accountId, false), await device(accountId, true, '+85261110002')];
  const answer = await sendMany(await room.open(), {
    sender: { accountId, test: false },
    channel: 'whatsapp',
    body: {
      messages: [undefined, real, pretended].map((fromPhone) => ({
        phone: '+85261112222',
        message: 'hello',
        fromPhone,
      })),
      allOrNothing: false,
    } as never,
    idempotencyKey: undefined,
    language: 'en_US',
  });
  expect(answer).toMatchObject({
    accepted: 1,
    test: false,
    messages: [{ code: 'E_DEVICE_MIXED' }, { accepted: true }, { code: 'E_DEVICE_MIXED' }],
  });
  expect(await sentOf(accountId)).toEqual([{ test: false, lane: real }]);
});

test('the test secret goes to simulators only, also where it names a real device', async () => {
  const accountId = await room.funded(1);
  const real = await device(accountId, false);
  expect(await (await open())(accountId, { fromPhone: real, test: true })).toMatchObject({
    test: true,
    price: 0,
  });
  expect(await sentOf(accountId)).toEqual([{ test: true, lane: 'whatsapp-simulator' }]);
});

test('beside real lanes a simulated device serves the test secret only; of one number the real one is meant', async () => {
  await room.addLane({ name: 'sms', channel: 'sms' });
  const accountId = await room.funded(1);
  const pretended = await device(accountId, true);
  const send = await open();
  await expect(send(accountId, { fromPhone: pretended })).rejects.toMatchObject(
    refused('E_DEVICE_SIMULATED'),
  );
  expect(await send(accountId, { fromPhone: pretended, test: true })).toMatchObject({ test: true });
  const real = await device(accountId, false);
  await (await open())(accountId, { fromPhone: REAL });
  expect((await sentOf(accountId)).at(-1)).toEqual({ test: false, lane: real });
});

test('where the operator has no WhatsApp, customers send by their devices and by nothing else', async () => {
  await room.addLane({ name: 'sms', channel: 'sms' });
  const [owner, other] = [await room.funded(1), await room.funded(1)];
  const real = await device(owner, false);
  const send = await open();
  expect(await send(owner, { fromPhone: real })).toMatchObject({ test: false });
  for (const accountId of [owner, other])
    await expect(send(accountId)).rejects.toMatchObject(refused('E_NO_LANE'));
  expect(await readChannels(await room.open())).toMatchObject({
    sms: { available: true, simulated: false },
    whatsapp: { available: false },
  });
});
