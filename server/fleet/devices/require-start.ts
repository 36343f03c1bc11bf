import type { AccountId } from '../../../contract/customer/accounts.ts';
import { MOST_UNPAIRED } from '../../../contract/fleet/devices.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { readDeviceLanes } from '../../traffic/lanes/table/index.ts';
import type { DeviceRow } from './device.ts';
import type { DevicesDeps } from './devices-deps.ts';
import { listDevices } from './store.ts';

/** Real ones that run, or that a worker still has, and that nobody has paired. */
const countUnpaired = async (trx: Db, accountId: AccountId): Promise<number> => {
  const unpaired = (await listDevices(trx, accountId)).filter(({ pairedAt }) => pairedAt === null);
  const lanes = await readDeviceLanes(
    trx,
    unpaired.map(({ laneId }) => laneId),
  );
  return unpaired.filter(({ laneId, wanted }) => {
    const lane = lanes.get(laneId);
    return lane?.simulated === false && (wanted === 'RUNNING' || lane.held);
  }).length;
};

/**
 * Whether a device may start. A real one takes a browser's memory whether or not it is ever paired: it is for accounts
 * that may send for real, and few of one account wait for their pairing at a time. Within `lockDevicesOf`.
 */
export const requireStart = async (
  trx: Db,
  { requireRealSender }: Pick<DevicesDeps, 'requireRealSender'>,
  { accountId, pairedAt, simulated }: Pick<DeviceRow, 'accountId' | 'pairedAt'> & { simulated: boolean },
): Promise<void> => {
  if (simulated) return;
  await requireRealSender(trx, accountId);
  if (pairedAt === null && (await countUnpaired(trx, accountId)) >= MOST_UNPAIRED)
    throw new DomainError('E_DEVICES_UNPAIRED', { most: MOST_UNPAIRED });
};
