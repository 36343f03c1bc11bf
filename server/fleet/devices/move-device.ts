import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { DeviceId } from '../../../contract/fleet/devices.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { senderNumber } from '../../ground/recipients/index.ts';
import { readDeviceLanes, setDeviceLane } from '../../traffic/lanes/table/index.ts';
import { type DeviceRow, type DeviceState, deviceState, requireMove } from './device.ts';
import type { DevicesDeps } from './devices-deps.ts';
import { requireStart } from './require-start.ts';
import { lockDevice, lockDevicesOf, setPairByCode, setWanted } from './store.ts';

export interface OwnDevice {
  accountId: AccountId;
  deviceId: DeviceId;
}

type LockedDevice = DeviceRow & { state: DeviceState; simulated: boolean };

/** Locked with its state; another account's is not there. */
export const lockOwn = async (trx: Db, own: OwnDevice): Promise<LockedDevice> => {
  const device = await lockDevice(trx, own);
  const lane = device && (await readDeviceLanes(trx, [device.laneId])).get(device.laneId);
  if (!device || !lane) throw new DomainError('E_DEVICE_UNKNOWN', { device: own.deviceId });
  return { ...device, state: deviceState(device, lane), simulated: lane.simulated };
};

type StartDeps = Pick<DevicesDeps, 'db' | 'requireRealSender'>;

export const startDevice = ({ db, ...deps }: StartDeps, own: OwnDevice): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockDevicesOf(trx, own.accountId);
    const device = await lockOwn(trx, own);
    requireMove(device.state, 'start', device);
    await requireStart(trx, deps, device);
    await setWanted(trx, { id: device.id, wanted: 'RUNNING' });
    await setDeviceLane(trx, device.laneId, { mode: 'on' });
  });

/** The worker that has it ends what is in flight and gives it back; no other takes it. */
export const stopDevice = ({ db }: Pick<DevicesDeps, 'db'>, own: OwnDevice): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const device = await lockOwn(trx, own);
    requireMove(device.state, 'stop', device);
    await setWanted(trx, { id: device.id, wanted: 'STOPPED' });
    await setDeviceLane(trx, device.laneId, { mode: 'paused' });
  });

/** Pairs by a code that is typed on this number's phone; one that is stopped starts. */
export const pairByCode = ({ db, ...deps }: StartDeps, own: OwnDevice, typed: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const phoneNumber = senderNumber(typed);
    if (phoneNumber === undefined) throw new DomainError('E_PHONE_INVALID', { phone: typed });
    await lockDevicesOf(trx, own.accountId);
    const device = await lockOwn(trx, own);
    requireMove(device.state, 'pair', device);
    if (device.wanted === 'STOPPED') await requireStart(trx, deps, device);
    await setWanted(trx, { id: device.id, wanted: 'RUNNING' });
    await setPairByCode(trx, device.id, phoneNumber);
    await setDeviceLane(trx, device.laneId, { mode: 'on', reopen: true });
  });
