import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { type DeviceId, isDeviceId, MOST_DEVICES } from '../../../contract/fleet/devices.ts';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import { SIMULATED_RECIPIENTS } from '../../../contract/traffic/simulator.ts';
import { openTestDelivery } from '../../../test/delivery.ts';
import { openTestDevices, type TestDevices } from '../../../test/devices.ts';
import { deviceSimulator } from '../../providers/simulator/index.ts';
import { type Lane, wakeLanes } from '../../traffic/lanes/index.ts';
import { findLease } from '../../traffic/lanes/table/index.ts';
import { readUsage } from '../../traffic/messages/index.ts';
import { countWaitingIn } from '../../traffic/outbox/index.ts';
import { releaseDue } from '../../traffic/outbox/testing/index.ts';
import { openRouting } from '../../traffic/routing/index.ts';
import { sweepDeleted } from './delete-device.ts';
import { deviceState } from './device.ts';
import type { DeviceDriver } from './driver.ts';
import { findDeviceSession, storeSession } from './session-store.ts';

/** While it is set, nobody scans a code: somebody may look at it for longer than that takes. */
let unscanned: Promise<void> | undefined;
const holdScans = (): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  unscanned = promise;
  return () => {
    unscanned = undefined;
    resolve();
  };
};
const simulated = deviceSimulator({ recipients: SIMULATED_RECIPIENTS, pace: 0.05 });
const driver: DeviceDriver = {
  ...simulated,
  carrier: ({ session, ...rest }) => {
    const write = async (bytes: Buffer) => {
      await unscanned;
      await session.write(bytes);
    };
    return simulated.carrier({ ...rest, session: { ...session, write } });
  },
};

let room: Awaited<ReturnType<typeof openTestDelivery>>;
let devices: TestDevices;
let worker: ReturnType<TestDevices['work']>;
beforeAll(async () => {
  room = await openTestDelivery();
  devices = openTestDevices(room, { driver });
  worker = devices.work();
});
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  await room.close();
});

const start = (accountId: AccountId, deviceId: DeviceId) =>
  devices.call(accountId, 'POST /devices/:deviceId/start', { params: { deviceId } });
const stop = (accountId: AccountId, deviceId: DeviceId) =>
  devices.call(accountId, 'POST /devices/:deviceId/stop', { params: { deviceId } });
const remove = (accountId: AccountId, deviceId: DeviceId, query = {}) =>
  devices.call(accountId, 'DELETE /devices/:deviceId', { params: { deviceId }, query });
const laneOf = async (deviceId: DeviceId): Promise<Lane> => {
  const { rows } = await sql<Lane>`select id, name from lanes where name = ${deviceId}`.execute(room.db);
  return rows[0] as Lane;
};
const refused = (code: string) => ({ code });
/** Scheduled messages are due now; returns how many went into lanes. */
const release = async (ids: MessageId[]): Promise<number> => {
  await sql`update outbox_chunks set due = now() where lane_id = 0 and ids && ${ids}::uuid[]`.execute(
    room.db,
  );
  await sql`update messages set scheduled_at = now() where id = any(${ids}::uuid[])`.execute(room.db);
  return releaseDue({
    db: room.db,
    routing: openRouting(room.db, { countWaiting: countWaitingIn }),
    wake: (trx, laneIds) => wakeLanes(trx, laneIds),
  });
};

const paired = { pairing: null, pairedAt: new Date(), ended: null } as const;
it.each([
  ['RUNNING', null, { wanted: 'RUNNING' }, { up: true, held: true }],
  ['PENDING', 'DROPPED', { wanted: 'RUNNING' }, { up: false, wasUp: true, held: true }],
  ['PENDING', 'STARTING', { wanted: 'RUNNING' }, { up: false, held: true }],
  ['PENDING', 'STARTING', { wanted: 'RUNNING' }, { up: false, held: false }],
  ['PENDING', 'STARTING', { wanted: 'RUNNING', pairedAt: null }, { up: false, held: true }],
  ['PENDING', 'STARTING', { wanted: 'RUNNING', pairedAt: null }, { up: true, held: true }],
  ['PENDING', 'NO_PLACE', { wanted: 'RUNNING' }, { up: false, held: true, reason: 'NO_PLACE' }],
  ['PENDING', 'STARTING', { wanted: 'RUNNING' }, { up: false, held: false, reason: 'NO_PLACE' }],
  ['PENDING', 'STOPPING', { wanted: 'STOPPED' }, { up: false, held: true }],
  ['STOPPED', null, { wanted: 'STOPPED' }, { up: false, held: false }],
  ['STOPPED', 'BANNED', { wanted: 'STOPPED', ended: 'BANNED' }, { up: false, held: false }],
] as const)('a device is %s (%s) by what was wanted and what is', (status, reason, known, lane) => {
  expect(deviceState({ ...paired, ...known }, { wasUp: false, reason: '', ...lane })).toEqual({
    status,
    reason,
  });
});

it('a device is created, pairs, runs, stops and stays stopped until it is started', async () => {
  const accountId = await room.funded(1);
  const scan = holdScans();
  const { deviceId: made, status } = await devices.call(accountId, 'POST /devices/create', {
    body: { countryCode: 'HK', type: 'whatsapp' },
  });
  const deviceId = made as DeviceId;
  expect(status).toBe('Device created successfully!');
  expect(isDeviceId(deviceId)).toBe(true);
  const pairing = await devices.become(accountId, deviceId, { reason: 'PAIRING' });
  expect(pairing).toMatchObject({
    status: 'PENDING',
    pairing: { kind: 'qr', attempt: 1 },
    canStart: false,
    canStop: true,
  });
  scan();
  const running = await devices.become(accountId, deviceId, { status: 'RUNNING' });
  expect(running).toMatchObject({
    pairing: null,
    reason: null,
    canSend: true,
    me: true,
    queue: deviceId,
    wanted: 'RUNNING',
  });
  expect(running.phoneNumber).toMatch(/^\+8526\d{7}$/);
  expect(running.display?.phoneName).toContain('Simulated');
  await expect(start(accountId, deviceId)).rejects.toMatchObject(refused('E_DEVICE_RUNNING'));
  expect((await stop(accountId, deviceId)).status).toBe('Device is stopping.');
  const stopped = await devices.become(accountId, deviceId, { status: 'STOPPED' });
  expect(stopped).toMatchObject({
    reason: null,
    wanted: 'STOPPED',
    canStart: true,
    canStop: false,
    host: '',
  });
  await expect(stop(accountId, deviceId)).rejects.toMatchObject(refused('E_DEVICE_STOPPED'));
  await start(accountId, deviceId);
  // Its session is there: it does not have to be paired again.
  expect(await devices.become(accountId, deviceId, { status: 'RUNNING' })).toMatchObject({
    phoneNumber: running.phoneNumber,
    pairedAt: running.pairedAt,
  });
}, 90_000);

it('a session is sealed, and another worker that takes the device over goes on with it', async () => {
  const accountId = await room.funded(1);
  const deviceId = await devices.running(accountId);
  const { rows } = await sql<{ sealed: Buffer }>`
    select sealed from device_sessions s join devices d on d.id = s.device_id where d.device_id = ${deviceId}`.execute(
    room.db,
  );
  expect(rows[0]?.sealed.toString('latin1')).not.toContain('number');
  const before = await devices.read(accountId, deviceId);
  await worker.stop(2_000);
  expect(await devices.become(accountId, deviceId, { status: 'PENDING' })).toMatchObject({
    reason: 'STARTING',
  });
  worker = devices.work();
  expect(await devices.become(accountId, deviceId, { status: 'RUNNING' })).toMatchObject({
    pairedAt: before.pairedAt,
  });
}, 90_000);

it('nobody sees, moves or deletes the device of another account, and only an admin lists all', async () => {
  const [owner, other] = [await room.funded(1), await room.funded(1)];
  const deviceId = await devices.running(owner);
  expect(await devices.list(other)).toEqual([]);
  for (const act of [start, stop, remove])
    await expect(act(other, deviceId)).rejects.toMatchObject(refused('E_DEVICE_UNKNOWN'));
  await expect(
    devices.call(other, 'POST /devices/:deviceId/pairingCode', {
      params: { deviceId },
      body: { phoneNumber: '+85261110000' },
    }),
  ).rejects.toMatchObject(refused('E_DEVICE_UNKNOWN'));
  const send = await devices.openSend();
  await expect(send(other, deviceId)).rejects.toMatchObject(refused('E_DEVICE_UNKNOWN'));
  await expect(devices.call(other, 'GET /devices', { query: { all: 'true' } })).rejects.toMatchObject(
    refused('E_FORBIDDEN'),
  );
  const { devices: all } = await devices.call(other, 'GET /devices', { query: { all: 'true' }, admin: true });
  expect(all.find((one) => one.deviceId === deviceId)).toMatchObject({
    me: false,
    email: `${owner}@example.com`,
    pairing: null,
  });
}, 90_000);

it('a code that nobody uses is renewed and ends; one that is typed pairs the number that was given', async () => {
  const accountId = await room.funded(1);
  const deviceId = await devices.create(accountId, 'expires');
  await devices.become(accountId, deviceId, { reason: 'PAIRING_UNUSED' });
  expect(await devices.read(accountId, deviceId)).toMatchObject({
    status: 'STOPPED',
    wanted: 'STOPPED',
    canStart: true,
  });
  const scan = holdScans();
  const other = await devices.create(accountId);
  const body = { phoneNumber: '+852 6123 4567' };
  await devices.call(accountId, 'POST /devices/:deviceId/pairingCode', { params: { deviceId: other }, body });
  const pairingOf = async () => (await devices.read(accountId, other)).pairing;
  await vi.waitFor(async () => expect(await pairingOf()).toMatchObject({ kind: 'code' }));
  scan();
  expect(await devices.become(accountId, other, { status: 'RUNNING' })).toMatchObject({
    phoneNumber: '+85261234567',
  });
  await expect(
    devices.call(accountId, 'POST /devices/:deviceId/pairingCode', { params: { deviceId: other }, body }),
  ).rejects.toMatchObject(refused('E_DEVICE_PAIRED'));
}, 90_000);

it('an account has so many devices and no more', async () => {
  const accountId = await room.funded(1);
  const made = await Promise.allSettled(
    Array.from({ length: MOST_DEVICES + 3 }, () => devices.create(accountId, 'expires')),
  );
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(MOST_DEVICES);
  await expect(devices.create(accountId)).rejects.toMatchObject(refused('E_TOO_MANY_DEVICES'));
  for (const { deviceId } of await devices.list(accountId)) await remove(accountId, deviceId);
}, 60_000);

it('a message names its device, goes out by it, and its reply comes into the conversation, as a simulator’s', async () => {
  const inbounds: object[] = [];
  await worker.stop(2_000);
  worker = devices.work({ onInbound: async (_, received) => void inbounds.push(...received) });
  const accountId = await room.funded(10);
  const deviceId = await devices.running(accountId);
  const { phoneNumber } = await devices.read(accountId, deviceId);
  const send = await devices.openSend();
  const ids = [
    await send(accountId, deviceId, { phone: '+85261110008' }),
    await send(accountId, phoneNumber, { phone: '+85261110010' }),
    await send(accountId, deviceId, { phone: '+85261110007' }),
  ];
  await room.become(ids, 'SUCCESS', 20_000);
  const { rows: out } = await sql<{ sender: string; why: string; name: string }>`
    select m.sender, m.lane_why as why, l.name from messages m join lanes l on l.id = m.lane_id
    where m.id = any(${ids}::uuid[])`.execute(room.db);
  expect(out).toEqual(ids.map(() => ({ sender: deviceId, why: 'DEVICE', name: deviceId })));
  // The bill lists them as the device's.
  const span = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
  expect(await readUsage(room.db, accountId, [span])).toMatchObject([{ device: deviceId, messages: 3 }]);
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ sender: string; message: string; test: boolean }>`
        select sender, message, test from messages where account_id = ${accountId} and type = 'incoming' order by sender`.execute(
        room.db,
      );
      expect(rows).toMatchObject([
        { sender: '+85261110008', test: true },
        { sender: '+85261110010', message: 'STOP', test: true },
      ]);
    },
    { timeout: 20_000, interval: 50 },
  );
  expect(inbounds).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ accountId, text: 'STOP', simulated: true, to: phoneNumber }),
    ]),
  );
  await vi.waitFor(async () => expect((await room.read(ids.slice(2)))[0]?.readAt).not.toBeNull(), {
    timeout: 20_000,
    interval: 50,
  });
}, 90_000);

it('a device that is not RUNNING sends nothing new and keeps what waits; one that drops comes back by itself', async () => {
  const accountId = await room.funded(10);
  const send = await devices.openSend();
  const dropping = await devices.running(accountId, 'drops');
  const sent = [];
  for (let at = 0; at < 12; at += 1)
    sent.push(
      await (await devices.openSend())(accountId, dropping, { phone: `+8526111${2_000 + at}` }).catch(
        () => undefined,
      ),
    );
  const accepted = sent.filter((id) => id !== undefined);
  expect(accepted.length).toBeGreaterThan(0);
  await room.become(accepted, 'SUCCESS', 20_000);
  await devices.become(accountId, dropping, { status: 'RUNNING' });
  await stop(accountId, dropping);
  await devices.become(accountId, dropping, { status: 'STOPPED' });
  await expect(send(accountId, dropping)).rejects.toMatchObject(refused('E_DEVICE_NOT_RUNNING'));
}, 90_000);

it.each([
  ['banned', 'BANNED'],
  ['logout', 'LOGGED_OUT'],
  ['lost', 'PHONE_LOST'],
] as const)(
  'a device that was %s is STOPPED, its session is gone, and its messages wait',
  async (name, reason) => {
    const accountId = await room.funded(10);
    const deviceId = await devices.running(accountId, name);
    const recipient = (at: number) => `+8526111${3_000 + at}`;
    const lane = await laneOf(deviceId);
    const ids = await room.accept({ accountId, lane, count: 20, from: deviceId, recipient });
    await devices.become(accountId, deviceId, { reason, status: 'STOPPED' });
    const { rows } = await sql`select from device_sessions s join devices d on d.id = s.device_id
      where d.device_id = ${deviceId}`.execute(room.db);
    expect(rows).toEqual([]);
    const { waiting } = await devices.read(accountId, deviceId);
    expect(waiting).toBe((await room.countByStatus(ids)).PENDING);
    if (reason === 'BANNED')
      await expect(start(accountId, deviceId)).rejects.toMatchObject(refused('E_DEVICE_BANNED'));
    else {
      // It is paired again, sends some more, and meets the same end.
      await start(accountId, deviceId);
      await vi.waitFor(
        async () => expect((await devices.read(accountId, deviceId)).waiting).toBeLessThan(waiting),
        { timeout: 20_000, interval: 50 },
      );
      await devices.become(accountId, deviceId, { reason, status: 'STOPPED' });
    }
    await expect(remove(accountId, deviceId)).rejects.toMatchObject(refused('E_DEVICE_WAITING'));
    await remove(accountId, deviceId, { waiting: 'cancel' });
  },
  90_000,
);

it('deleting says how many wait, and moves them to another device or cancels them with a refund', async () => {
  const accountId = await room.funded(10);
  const [first, second] = [await devices.running(accountId), await devices.running(accountId)];
  const send = await devices.openSend();
  const before = await room.balance(accountId);
  await stop(accountId, first);
  await devices.become(accountId, first, { status: 'STOPPED' });
  // As if they had been accepted a moment before it stopped.
  const lane = await laneOf(first);
  const recipient = (at: number) => `+8526111${4_000 + at}`;
  const waiting = await room.accept({ accountId, lane, count: 3, from: first, recipient });
  const later = await send(accountId, second, { sendAt: new Date(Date.now() + 3_600_000).toISOString() });
  await expect(remove(accountId, first)).rejects.toMatchObject({
    code: 'E_DEVICE_WAITING',
    params: { count: 3 },
  });
  await expect(remove(accountId, first, { waiting: 'move', to: first })).rejects.toMatchObject(
    refused('E_DEVICE_TARGET'),
  );
  await expect(
    remove(accountId, first, { waiting: 'move', to: `wa-hk-${'x'.repeat(8)}` }),
  ).rejects.toMatchObject(refused('E_DEVICE_UNKNOWN'));
  const moved = await remove(accountId, first, { waiting: 'move', to: second });
  expect(moved).toEqual({ status: 'Device deleted. 3 messages were moved.', moved: 3, cancelled: 0 });
  await room.become(waiting, 'SUCCESS', 20_000);
  expect((await devices.list(accountId)).map(({ deviceId }) => deviceId)).toEqual([second]);
  // The scheduled message waits for this one: it counts, and is cancelled with it.
  await expect(remove(accountId, second)).rejects.toMatchObject({ params: { count: 1 } });
  const cancelled = await remove(accountId, second, { waiting: 'cancel' });
  expect(cancelled).toMatchObject({
    cancelled: 1,
    status: 'Device deleted. 1 messages were cancelled and refunded.',
  });
  await room.become([later], 'CANCELLED', 20_000);
  expect(before - (await room.balance(accountId))).toBe(3n * 32_051n);
  expect(await room.miscounted()).toEqual([]);
}, 90_000);

it('a scheduled message moves with its device’s others, waits for its time, and goes out by the next device', async () => {
  const accountId = await room.funded(10);
  const [first, second] = [await devices.running(accountId), await devices.running(accountId)];
  const send = await devices.openSend();
  const before = await room.balance(accountId);
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const later = [await send(accountId, first, { sendAt }), await send(accountId, first, { sendAt })];
  // The list shows what waits in the device now; the question is about these too.
  expect((await devices.read(accountId, first)).waiting).toBe(0);
  await expect(remove(accountId, first)).rejects.toMatchObject({ params: { count: 2 } });
  expect(await remove(accountId, first, { waiting: 'move', to: second })).toMatchObject({ moved: 2 });
  expect(await room.countByStatus(later)).toEqual({ PENDING: 2 });
  const { rows: waiting } = await sql<{ sender: string; laneId: number | null; isLater: boolean }>`
    select sender, lane_id as "laneId", scheduled_at > now() as "isLater" from messages
    where id = any(${later}::uuid[])`.execute(room.db);
  expect(waiting).toEqual(later.map(() => ({ sender: second, laneId: null, isLater: true })));
  expect(await release(later)).toBe(2);
  await room.become(later, 'SUCCESS', 20_000);
  const { id: secondLane } = await laneOf(second);
  expect((await room.read(later)).map(({ laneId }) => laneId)).toEqual([secondLane, secondLane]);
  const { rows: paid } = await sql<{ price: bigint }>`
    select price_micros as price from messages where id = any(${later}::uuid[])`.execute(room.db);
  expect(before - (await room.balance(accountId))).toBe(paid.reduce((sum, { price }) => sum + price, 0n));
}, 90_000);

it('messages move only between real devices, or between simulated ones', async () => {
  const accountId = await room.funded(1);
  const [first, second] = [await devices.create(accountId), await devices.create(accountId)];
  const pretend = (simulated: boolean) =>
    sql`update lanes set simulated = ${simulated} where name = ${first}`.execute(room.db);
  await pretend(false);
  const pairs = [
    [first, second],
    [second, first],
  ] as const;
  for (const [from, to] of pairs)
    await expect(remove(accountId, from, { waiting: 'move', to })).rejects.toMatchObject(
      refused('E_DEVICE_TARGET'),
    );
  await pretend(true);
  expect(await remove(accountId, first, { waiting: 'move', to: second })).toMatchObject({ moved: 0 });
}, 60_000);

it('what comes late to a deleted device follows its messages, also when their next device was deleted', async () => {
  const accountId = await room.funded(10);
  const last = await devices.running(accountId);
  const [first, second] = [await devices.create(accountId), await devices.create(accountId)];
  await remove(accountId, first, { waiting: 'move', to: second });
  await remove(accountId, second, { waiting: 'move', to: last });
  const lane = await laneOf(first);
  const ids = await room.accept({ accountId, lane, from: first, recipient: () => '+85261115000' });
  await sweepDeleted(room.db);
  await room.become(ids, 'SUCCESS', 20_000);
  expect(await room.read(ids)).toMatchObject([{ laneId: (await laneOf(last)).id }]);
}, 90_000);

it('a worker that still has a deleted device stores no session of it', async () => {
  const accountId = await room.funded(1);
  const deviceId = await devices.running(accountId);
  const { rows } = await sql<{ id: string; laneId: number }>`
    select id, lane_id as "laneId" from devices where device_id = ${deviceId}`.execute(room.db);
  const { id, laneId } = rows[0] as { id: string; laneId: number };
  const lease = await findLease(room.db, laneId);
  if (!lease) throw new Error('nobody has the device');
  const store = () => storeSession(room.db, { id, sealed: Buffer.from('sealed'), lease });
  expect(await store()).toBe(true);
  await sql`with gone as (delete from device_sessions where device_id = ${id})
    update devices set deleted_at = now() where id = ${id}`.execute(room.db);
  expect(await store()).toBe(false);
  expect(await findDeviceSession(room.db, id)).toBeUndefined();
}, 60_000);

it('a scheduled message goes out by its device when it is due', async () => {
  const accountId = await room.funded(10);
  const deviceId = await devices.running(accountId);
  const id = await (await devices.openSend())(accountId, deviceId, {
    sendAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await release([id]);
  await room.become([id], 'SUCCESS', 20_000);
  const { rows } = await sql<{ name: string }>`
    select l.name from messages m join lanes l on l.id = m.lane_id where m.id = ${id}`.execute(room.db);
  expect(rows).toEqual([{ name: deviceId }]);
}, 90_000);

it('the test secret never sends by a real device, and its simulated one only pretends', async () => {
  const accountId = await room.funded(10);
  const deviceId = await devices.running(accountId);
  const id = await (await devices.openSend())(accountId, deviceId, { test: true });
  await room.become([id], 'SUCCESS', 20_000);
  const { rows } = await sql<{ test: boolean; price: bigint }>`
    select test, price_micros as price from messages where id = ${id}`.execute(room.db);
  expect(rows).toEqual([{ test: true, price: 0n }]);
}, 60_000);

it('an account that is closed while it creates a device gets none', async () => {
  const accountId = await room.funded(1);
  await sql`update accounts set closed_at = now() where id = ${accountId}`.execute(room.db);
  await expect(
    devices.call(accountId, 'POST /devices/create', { body: { countryCode: 'HK', type: 'whatsapp' } }),
  ).rejects.toMatchObject(refused('E_ACCOUNT_CLOSED'));
});
