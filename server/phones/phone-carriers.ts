import type { PhoneId } from '../../contract/phones.ts';
import type { Carrier, ServableLane } from '../lanes/index.ts';
import type { PhonesDeps } from './change-phone.ts';
import { findPhone } from './store.ts';

/** The carrier of a phone's lane: the driver's. */
export const openPhoneCarrier = async (
  { db, driver }: PhonesDeps,
  { phoneId, channel, provider }: ServableLane,
): Promise<(() => Carrier) | undefined> => {
  const phone = phoneId ? await findPhone(db, phoneId as PhoneId) : undefined;
  return phone && provider === driver.name ? () => driver.carrier({ phone, channel }) : undefined;
};
