import type { AccountId } from '../../contract/accounts.ts';
import { type DeviceId, isDeviceId } from '../../contract/devices.ts';
import { DomainError } from '../domain-error.ts';
import { readDeviceLanes } from '../lanes/index.ts';
import { senderNumber } from '../recipients/index.ts';
import { stateOf } from './device.ts';
import type { DevicesDeps } from './devices-deps.ts';
import { findNamed } from './store.ts';

/** A device that may send now. */
export interface RunningDevice {
  deviceId: DeviceId;
  phoneNumber: string;
  simulated: boolean;
}

interface Named {
  /** The device that is named, by its id or its number; undefined: none is. Throws if it may not send now. */
  find: (typed: string | undefined) => RunningDevice | undefined;
  /** All that were named and may send now. */
  running: RunningDevice[];
}

/** Looks up which of these name devices of the account. */
export type OwnDevices = (asked: {
  accountId: AccountId;
  /** With the test secret. */
  free: boolean;
  typed: readonly (string | null | undefined)[];
}) => Promise<Named>;

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
        return lane && stateOf(device, lane).status === 'RUNNING'
          ? [{ deviceId, phoneNumber, simulated: lane.simulated }]
          : [];
      })
      // Of two with one number, the one that the secret is for.
      .toSorted((a, b) => Number(b.simulated === free) - Number(a.simulated === free));
    const find: Named['find'] = (one) => {
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
