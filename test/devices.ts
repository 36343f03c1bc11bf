import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { vi } from 'vitest';
import type { CallName, Reply } from '../contract/calls.ts';
import type { AccountId } from '../contract/customer/accounts.ts';
import type { Device, DeviceId } from '../contract/fleet/devices.ts';
import type { MessageId } from '../contract/traffic/messages.ts';
import { SIMULATED_RECIPIENTS } from '../contract/traffic/simulator.ts';
import { accountsHaving, findOptedOut } from '../server/customer/opt-outs/index.ts';
import {
  CAREFUL,
  type DeviceDriver,
  type DevicesDeps,
  deviceRoutes,
  type GovernorPolicy,
  openDeviceCarrier,
  openOwnDevices,
} from '../server/fleet/devices/index.ts';
import type { Db } from '../server/ground/postgres/index.ts';
import { deviceSimulator } from '../server/providers/simulator/index.ts';
import {
  newWorker,
  renewWorker,
  storeLaneStates,
  takeLeases,
  wakeLanes,
} from '../server/traffic/lanes/index.ts';
import { openSending } from '../server/traffic/sending/index.ts';
import type { TestDelivery } from './delivery.ts';

/** Generous: nothing that is asserted depends on how fast the machine is. */
const WAIT = { timeout: 20_000, interval: 50 };

type Input = { params?: object; query?: object; body?: object; admin?: boolean };

export const testDevicesDeps = (db: Db, drivers: DeviceDriver[]): DevicesDeps => ({
  db,
  secretKey: randomBytes(32),
  drivers,
  laneProviders: [],
  policy: CAREFUL,
  requireRealSender: async () => {},
  emailsOf: async (ids) => new Map(ids.map((id) => [id, `${id}@example.com`])),
});

/** A device that is RUNNING, on a worker that does nothing: for what depends on its state alone. */
export const makeStillDevice = async (
  db: Db,
  { accountId, simulated, phoneNumber }: { accountId: AccountId; simulated: boolean; phoneNumber: string },
): Promise<DeviceId> => {
  const driver: DeviceDriver = {
    name: 'still',
    simulated,
    isGoverned: () => false,
    carrier: () => {
      throw new Error('nobody opens it');
    },
  };
  const made = await deviceRoutes(testDevicesDeps(db, [driver]))['POST /devices/create']?.({
    caller: { accountId, admin: false, sessionHash: Buffer.alloc(0) },
    language: 'en_US',
    body: { countryCode: 'HK' },
  } as never);
  const deviceId = made?.deviceId as DeviceId;
  const { rows } = await sql<{ laneId: number }>`
    update devices set phone_number = ${phoneNumber}, paired_at = now() where device_id = ${deviceId}
    returning lane_id as "laneId"`.execute(db);
  const worker = newWorker(randomUUID());
  await renewWorker(db, { ...worker, leaseMs: 600_000, serving: true, laneIds: [] });
  const leases = rows.map(({ laneId }) => ({ laneId, holder: randomUUID() }));
  await takeLeases(db, worker.id, leases);
  await storeLaneStates(
    db,
    leases.map((lease) => ({ ...lease, up: true, reason: '' })),
  );
  return deviceId;
};

/** Devices on a test's database, with workers of its delivery. Each opening of `sending` reads the lanes afresh. */
export const openTestDevices = (
  room: TestDelivery,
  {
    pace = 0.05,
    policy = CAREFUL,
    driver = deviceSimulator({ recipients: SIMULATED_RECIPIENTS, pace }),
    ...rest
  }: {
    pace?: number;
    policy?: GovernorPolicy;
    driver?: DeviceDriver;
    requireRealSender?: DevicesDeps['requireRealSender'];
  } = {},
) => {
  const { db } = room;
  const deps = { ...testDevicesDeps(db, [driver]), policy, ...rest };
  const routes = deviceRoutes(deps);
  const call = async <N extends CallName & keyof typeof routes>(
    accountId: AccountId,
    name: N,
    { admin = false, ...input }: Input = {},
  ): Promise<Reply<N>> =>
    (await routes[name]?.({
      caller: { accountId, admin, sessionHash: Buffer.alloc(0) },
      language: 'en_US',
      query: {},
      ...input,
    } as never)) as Reply<N>;
  const list = async (accountId: AccountId): Promise<Device[]> =>
    (await call(accountId, 'GET /devices')).devices as Device[];
  const read = async (accountId: AccountId, deviceId: DeviceId): Promise<Device> => {
    const found = (await list(accountId)).find((one) => one.deviceId === deviceId);
    if (!found) throw new Error(`there is no device ${deviceId}`);
    return found;
  };
  const create = async (accountId: AccountId, phoneName = ''): Promise<DeviceId> =>
    (await call(accountId, 'POST /devices/create', { body: { countryCode: 'HK', phoneName } }))
      .deviceId as DeviceId;
  /** Waits until the device looks like this. */
  const become = (accountId: AccountId, deviceId: DeviceId, looks: Partial<Device>): Promise<Device> =>
    vi.waitFor(async () => {
      const device = await read(accountId, deviceId);
      for (const [key, value] of Object.entries(looks))
        if (device[key as keyof Device] !== value)
          throw new Error(`it is ${device.status} ${device.reason}, ${key} is not ${value}`);
      return device;
    }, WAIT);
  const running = async (accountId: AccountId, phoneName = ''): Promise<DeviceId> => {
    const deviceId = await create(accountId, phoneName);
    await become(accountId, deviceId, { status: 'RUNNING' });
    return deviceId;
  };
  const openSend = async () => {
    const sending = await openSending({
      devices: openOwnDevices({ db }),
      db,
      queue: { send: async () => {} },
      optOuts: { find: findOptedOut, having: accountsHaving },
      wake: (trx, laneIds) => wakeLanes(trx, laneIds),
    });
    return async (
      accountId: AccountId,
      fromPhone: string,
      rest: { phone?: string; sendAt?: string; test?: boolean } = {},
    ) => {
      const { phone = '+85261112345', sendAt, test = false } = rest;
      const { _id } = await sending.send({
        sender: { accountId, test },
        channel: 'whatsapp',
        wanted: { recipientRaw: phone, message: 'Hello', fromPhone, sendAt },
        idempotencyKey: undefined,
      });
      return _id as MessageId;
    };
  };
  const work = (options: Parameters<TestDelivery['work']>[2] = {}) =>
    room.work(
      [],
      { leaseMs: 5_000, openMs: 20_000, answerMs: 20_000, drainMs: 2_000 },
      { openCarrier: (lane) => openDeviceCarrier(deps, lane), ...options },
    );
  return { deps, call, list, read, create, become, running, openSend, work };
};
export type TestDevices = ReturnType<typeof openTestDevices>;
