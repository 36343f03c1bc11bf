import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { DeviceId } from '../../../contract/fleet/devices.ts';
import { SIMULATED_RECIPIENTS } from '../../../contract/traffic/simulator.ts';
import { openTestDelivery } from '../../../test/delivery.ts';
import { openTestDevices, type TestDevices } from '../../../test/devices.ts';
import { deviceSimulator } from '../../providers/simulator/index.ts';
import { readDeviceLanes } from '../../traffic/lanes/table/index.ts';
import type { DeviceDriver } from './driver.ts';
import { logOutDeleted } from './log-out.ts';

const WAIT = { timeout: 20_000, interval: 50 };
/** What the phone's list of linked devices lost. */
const loggedOut: DeviceId[] = [];
const far = { answers: true };

/** Behaves like a real driver: a phone lists its devices. */
const listed = (): DeviceDriver => {
  const simulated = deviceSimulator({ recipients: SIMULATED_RECIPIENTS, pace: 0.05 });
  return {
    ...simulated,
    name: 'listed',
    simulated: false,
    carrier: (surroundings) => {
      const carrier = simulated.carrier(surroundings);
      const logOut = async () => {
        if (!carrier.isUp() || !far.answers) return false;
        loggedOut.push(surroundings.device.deviceId);
        return true;
      };
      return { ...carrier, provider: 'listed', simulated: false, logOut };
    },
  };
};

let room: Awaited<ReturnType<typeof openTestDelivery>>;
let devices: TestDevices;
beforeAll(async () => {
  room = await openTestDelivery();
  devices = openTestDevices(room, { driver: listed() });
  devices.work();
});
afterAll(() => room.close());
beforeEach(() => {
  loggedOut.length = 0;
  far.answers = true;
});

const remove = (accountId: AccountId, deviceId: DeviceId) =>
  devices.call(accountId, 'DELETE /devices/:deviceId', { params: { deviceId } });
const sessionsOf = async (deviceId: DeviceId): Promise<number> => {
  const { rows } = await sql`select from device_sessions s join devices d on d.id = s.device_id
    where d.device_id = ${deviceId}`.execute(room.db);
  return rows.length;
};
/** Waits until no worker has it any more. */
const released = async (deviceId: DeviceId) => {
  const { rows } = await sql<{ id: number }>`select id from lanes where name = ${deviceId}`.execute(room.db);
  const ids = rows.map(({ id }) => id);
  await vi.waitFor(async () => {
    const [lane] = (await readDeviceLanes(room.db, ids)).values();
    expect(lane?.held).toBe(false);
  }, WAIT);
};

it('a device that runs is logged out by the worker that has it when it is deleted, and only then', async () => {
  const accountId = await room.funded(1);
  const [kept, deleted] = [await devices.running(accountId), await devices.running(accountId)];
  await devices.call(accountId, 'POST /devices/:deviceId/stop', { params: { deviceId: kept } });
  await devices.become(accountId, kept, { status: 'STOPPED' });
  await remove(accountId, deleted);
  await vi.waitFor(() => expect(loggedOut).toEqual([deleted]), WAIT);
  await released(deleted);
  expect([await sessionsOf(deleted), await sessionsOf(kept)]).toEqual([0, 1]);
}, 90_000);

it('a device that nobody had is opened once more to log it out', async () => {
  const accountId = await room.funded(1);
  const deviceId = await devices.running(accountId);
  await devices.call(accountId, 'POST /devices/:deviceId/stop', { params: { deviceId } });
  await devices.become(accountId, deviceId, { status: 'STOPPED' });
  await remove(accountId, deviceId);
  expect(await devices.list(accountId)).toEqual([]);
  expect([loggedOut, await sessionsOf(deviceId)]).toEqual([[], 1]);
  await logOutDeleted(devices.deps);
  expect([loggedOut, await sessionsOf(deviceId)]).toEqual([[deviceId], 0]);
  await logOutDeleted(devices.deps);
  expect(loggedOut).toEqual([deviceId]);
}, 90_000);

it('a device that can’t be logged out is deleted all the same, and its session does not stay', async () => {
  far.answers = false;
  const accountId = await room.funded(1);
  const deviceId = await devices.running(accountId);
  await remove(accountId, deviceId);
  expect(await devices.list(accountId)).toEqual([]);
  await released(deviceId);
  await logOutDeleted(devices.deps);
  expect([loggedOut, await sessionsOf(deviceId)]).toEqual([[], 0]);
}, 90_000);

it('a session that no driver can use any more is removed after an hour', async () => {
  const accountId = await room.funded(1);
  const deviceId = await devices.running(accountId);
  await devices.call(accountId, 'POST /devices/:deviceId/stop', { params: { deviceId } });
  await devices.become(accountId, deviceId, { status: 'STOPPED' });
  await remove(accountId, deviceId);
  const without = { ...devices.deps, drivers: [] };
  await logOutDeleted(without);
  expect(await sessionsOf(deviceId)).toBe(1);
  await sql`update devices set deleted_at = now() - interval '61 minutes' where device_id = ${deviceId}`.execute(
    room.db,
  );
  await logOutDeleted(without);
  expect(await sessionsOf(deviceId)).toBe(0);
}, 90_000);
