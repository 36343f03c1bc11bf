import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { DeviceId } from '../../../contract/fleet/devices.ts';

/** A device that may send now. */
export interface RunningDevice {
  deviceId: DeviceId;
  phoneNumber: string;
  simulated: boolean;
}

export interface NamedDevices {
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
}) => Promise<NamedDevices>;
