import type { PhoneId } from '../../../contract/fleet/phones.ts';
import type { Carrier, ServableLane } from '../../traffic/lanes/index.ts';
import type { PhonesDeps } from './phones-deps.ts';
import { findPhone } from './store.ts';

/** The carrier of a phone's lane: that of what drives it. */
export const openPhoneCarrier = async (
  { db, driver, agents }: PhonesDeps,
  { phoneId, channel, provider }: ServableLane,
): Promise<(() => Carrier) | undefined> => {
  const phone = phoneId ? await findPhone(db, phoneId as PhoneId) : undefined;
  const by = [driver, agents].find(({ name }) => name === provider);
  return phone && by ? () => by.carrier({ phone, channel }) : undefined;
};
