import { randomInt } from 'node:crypto';
import type { Body } from '../../../contract/calls.ts';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { type DeviceId, MOST_DEVICES } from '../../../contract/fleet/devices.ts';
import { isOpen } from '../../customer/accounts/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { type Db, newId } from '../../ground/postgres/index.ts';
import { senderNumber } from '../../ground/recipients/index.ts';
import { insertDeviceLane, makeDeviceLane } from '../../traffic/lanes/table/index.ts';
import type { DevicesDeps } from './devices-deps.ts';
import { requireStart } from './require-start.ts';
import { countDevices, insertDevice, lockDevicesOf, setPaired } from './store.ts';

/** Deleted ones leave a row and a lane behind. */
const MOST_A_DAY = 30;
/** Without those that are easily mistaken for others. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

const newDeviceId = (country: string): DeviceId => {
  const random = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `wa-${country.toLowerCase()}-${random}` as DeviceId;
};

const CLOUD = 'whatsapp-cloud';

const refuseMore = async (trx: Db, accountId: AccountId): Promise<void> => {
  await lockDevicesOf(trx, accountId);
  const { has, today } = await countDevices(trx, accountId);
  if (has >= MOST_DEVICES) throw new DomainError('E_TOO_MANY_DEVICES', { most: MOST_DEVICES });
  if (today >= MOST_A_DAY) throw new DomainError('E_DEVICES_TODAY', { most: MOST_A_DAY });
};

const nameOf = (given: string | undefined, deviceId: DeviceId): string =>
  given?.replaceAll('\0', '') || deviceId;

/** Creates a device and starts it: a worker opens it and shows how to pair it. */
export const createDevice = (
  { db, drivers, requireRealSender }: DevicesDeps,
  accountId: AccountId,
  { countryCode, type = 'whatsapp', phoneName }: Body<'POST /devices/create'>,
): Promise<DeviceId> =>
  db.transaction().execute(async (trx) => {
    const [driver] = drivers;
    if (!driver) throw new DomainError('E_UNAVAILABLE');
    if (!(await isOpen(trx, accountId, { locked: true }))) throw new DomainError('E_ACCOUNT_CLOSED');
    await refuseMore(trx, accountId);
    await requireStart(
      trx,
      { requireRealSender },
      { accountId, pairedAt: null, simulated: driver.simulated },
    );
    const deviceId = newDeviceId(countryCode);
    const laneId = await insertDeviceLane(trx, {
      name: deviceId,
      accountId,
      provider: driver.name,
      simulated: driver.simulated,
    });
    if (laneId === undefined) throw new Error(`the device ${deviceId} exists already`);
    const name = nameOf(phoneName, deviceId);
    await insertDevice(trx, { id: newId(), deviceId, accountId, laneId, countryCode, type, phoneName: name });
    return deviceId;
  });

/** Makes a number at the Cloud API a device of an account. It is paired by its settings. */
export const createCloudDevice = (
  { db, secretKey, laneProviders: providers }: DevicesDeps,
  { accountId, countryCode, phoneNumber: typed, phoneName, settings }: Body<'POST /admin/devices'>,
): Promise<DeviceId> =>
  db.transaction().execute(async (trx) => {
    const phoneNumber = senderNumber(typed);
    if (phoneNumber === undefined) throw new DomainError('E_PHONE_INVALID', { phone: typed });
    if (!(await isOpen(trx, accountId, { locked: true }))) throw new DomainError('E_NOT_FOUND');
    await refuseMore(trx, accountId);
    const deviceId = newDeviceId(countryCode);
    const lane = { name: deviceId, provider: CLOUD, accountId, sender: phoneNumber, settings };
    const laneId = await makeDeviceLane(trx, { secretKey, providers }, lane);
    const id = newId();
    const name = nameOf(phoneName, deviceId);
    await insertDevice(trx, {
      id,
      deviceId,
      accountId,
      laneId,
      countryCode,
      type: 'whatsapp',
      phoneName: name,
    });
    await setPaired(trx, { id, phoneNumber, displayName: '' });
    return deviceId;
  });
