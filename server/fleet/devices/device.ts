import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Device, DeviceId, DeviceReason } from '../../../contract/fleet/devices.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { DeviceLaneState } from '../../traffic/lanes/table/index.ts';
import type { DeviceEnd, NoPlace } from './driver.ts';

/** A device as its row has it. */
export interface DeviceRow {
  id: string;
  deviceId: DeviceId;
  accountId: AccountId;
  laneId: number;
  countryCode: Device['countryCode'];
  type: Device['type'];
  phoneName: string;
  createdAt: Date;
  wanted: Device['wanted'];
  ended: DeviceEnd | null;
  changedAt: Date;
  phoneNumber: string;
  displayName: string;
  pairedAt: Date | null;
  pairByCodeOf: string;
  pairing: Device['pairing'];
  port: string;
  warnedUntil: Date | null;
  movedTo: DeviceId | null;
}

export interface DeviceState {
  status: Device['status'];
  /** Why it is not RUNNING; null: its owner stopped it. */
  reason: DeviceReason | null;
}

const NO_PLACE: NoPlace = 'NO_PLACE';

type Known = Pick<DeviceRow, 'wanted' | 'ended' | 'pairing' | 'pairedAt'>;
type Served = Pick<DeviceLaneState, 'up' | 'wasUp' | 'held' | 'reason'>;

/**
 * What was wanted and what is, put together. A device is STOPPED only when no worker has it any more: from then on it
 * sends nothing. One that is wanted and not connected is PENDING, whatever keeps it: it comes back by itself.
 */
export const deviceState = (
  { wanted, ended, pairing, pairedAt }: Known,
  { up, wasUp, held, reason }: Served,
): DeviceState => {
  if (wanted === 'STOPPED')
    return held ? { status: 'PENDING', reason: 'STOPPING' } : { status: 'STOPPED', reason: ended };
  // Its lane may have come up since the row was read: it is RUNNING only with its number.
  if (up && pairedAt) return { status: 'RUNNING', reason: null };
  if (pairing) return { status: 'PENDING', reason: 'PAIRING' };
  if (held && reason === NO_PLACE) return { status: 'PENDING', reason: NO_PLACE };
  // What its worker is still opening, as after a restart, has not lost a connection.
  return { status: 'PENDING', reason: held && wasUp && pairedAt ? 'DROPPED' : 'STARTING' };
};

type Verb = 'start' | 'stop' | 'pair';

/** Why a device in this state refuses it; undefined if it does not. */
const refusalOf = (
  { status, reason }: DeviceState,
  verb: Verb,
  { pairedAt }: Pick<DeviceRow, 'pairedAt'>,
) => {
  if (verb === 'stop')
    return status === 'STOPPED'
      ? 'E_DEVICE_STOPPED'
      : reason === 'STOPPING'
        ? 'E_DEVICE_STOPPING'
        : undefined;
  if (reason === 'STOPPING') return 'E_DEVICE_STOPPING';
  if (reason === 'BANNED') return 'E_DEVICE_BANNED';
  if (verb === 'pair') return pairedAt ? 'E_DEVICE_PAIRED' : undefined;
  return status === 'RUNNING' ? 'E_DEVICE_RUNNING' : status === 'PENDING' ? 'E_DEVICE_PENDING' : undefined;
};

export const canDo = (state: DeviceState, verb: Verb, device: Pick<DeviceRow, 'pairedAt'>): boolean =>
  refusalOf(state, verb, device) === undefined;

/** Throws if it can't be done from where the device is. */
export const requireMove = (
  state: DeviceState,
  verb: Verb,
  device: Pick<DeviceRow, 'pairedAt' | 'deviceId'>,
): void => {
  const code = refusalOf(state, verb, device);
  if (code) throw new DomainError(code, { device: device.deviceId });
};
