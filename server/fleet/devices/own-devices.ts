import { isDeviceId } from '../../../contract/fleet/devices.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { senderNumber } from '../../ground/recipients/index.ts';
import { readDeviceLanes } from '../../traffic/lanes/table/index.ts';
import type { NamedDevices, OwnDevices, RunningDevice } from '../../traffic/sending/index.ts';
import { deviceState } from './device.ts';
import type { DevicesDeps } from './devices-deps.ts';
import { findNamed } from './store.ts';

const cleaned = (typed: string | null | undefined): string => typed?.replaceAll('\0', '').trim() ?? '';

/** A `fromPhone` may name a device of the account while it is RUNNING. */
export const openOwnDevices =
  ({ db }: Pick<DevicesDeps, 'db'>): OwnDevices =>
  async ({ accountId, free, typed }) => {
    const given = typed.flatMap((one) => cleaned(one) || []);
    const found = await findNamed(db, {
      accountId,
      ids: given.filter(isDeviceId),
      numbers: given.flatMap((one) => senderNumber(one) ?? []),
    });
    const lanes = await readDeviceLanes(
      db,
      found.map(({ laneId }) => laneId),
    );
    const running = found
      .flatMap(({ deviceId, phoneNumber, laneId, ...device }) => {
        const lane = lanes.get(laneId);
        return lane && deviceState(device, lane).status === 'RUNNING'
          ? [{ deviceId, phoneNumber, simulated: lane.simulated }]
          : [];
      })
      // Of two with one number, the one that the secret is for.
      .toSorted((a, b) => Number(b.simulated === free) - Number(a.simulated === free));
    const find: NamedDevices['find'] = (one) => {
      const asked = cleaned(one);
      const number = senderNumber(asked);
      const isNamed = (device: Pick<RunningDevice, 'deviceId' | 'phoneNumber'>): boolean =>
        device.deviceId === asked || device.phoneNumber === number;
      if (!found.some(isNamed)) {
        if (isDeviceId(asked)) throw new DomainError('E_DEVICE_UNKNOWN', { device: asked });
        return undefined;
      }
      const device = running.find(isNamed);
      if (!device) throw new DomainError('E_DEVICE_NOT_RUNNING', { device: asked });
      return device;
    };
    return { find, running };
  };
