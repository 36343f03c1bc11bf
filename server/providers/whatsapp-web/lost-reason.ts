import type { DeviceEnd } from '../../fleet/devices/driver.ts';

/** By the library's words for the states of WhatsApp Web; all others are connections that may come back. */
const ENDS: Record<string, DeviceEnd> = {
  LOGOUT: 'LOGGED_OUT',
  UNPAIRED: 'LOGGED_OUT',
  UNPAIRED_IDLE: 'LOGGED_OUT',
  TOS_BLOCK: 'BANNED',
  SMB_TOS_BLOCK: 'BANNED',
};

export const endOf = (why: string): DeviceEnd | undefined => ENDS[why];
