import type { Device } from '../../../contract/fleet/devices.ts';
import type { DevicesDeps } from './devices-deps.ts';
import { findDeviceOfLane } from './store.ts';
import { viewDevices } from './view-devices.ts';

/** Why messages wait in the device of this lane now; undefined if it is none. */
export const readHold = async (
  deps: DevicesDeps,
  laneId: number,
): Promise<Pick<Device, 'status' | 'hold'> | undefined> => {
  const device = await findDeviceOfLane(deps.db, laneId);
  if (!device) return undefined;
  const [view] = await viewDevices(deps, [device], { reader: device.accountId, all: false, viewing: false });
  return view && { status: view.status, hold: view.hold };
};
