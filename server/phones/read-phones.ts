import { isReleased, TOP_UP_BELOW, VALIDITY_WARNING_DAYS } from '../../contract/phone-rules.ts';
import type { Phone } from '../../contract/phones.ts';
import type { PhoneNotice } from '../../contract/reports.ts';
import type { Db } from '../postgres/index.ts';
import { listPhones } from './store.ts';
import { viewPhone } from './view-phones.ts';

/** Those that were not given back. */
export const readPhones = async (db: Db): Promise<Phone[]> =>
  (await listPhones(db)).filter(({ remark }) => !isReleased(remark)).map(viewPhone);

/** DOWN if any of its ways out is. */
export const stateOf = ({ health }: Phone): Phone['health']['sms'] => {
  const ways = Object.values(health);
  return ways.includes('DOWN') ? 'DOWN' : ways.includes('UP') ? 'UP' : 'unknown';
};

/** What an operator has to look after. */
export const noticesOf = (phone: Phone): PhoneNotice[] => {
  const { name, validityDays, estimatedBalance } = phone;
  const kinds: PhoneNotice['kind'][] = [];
  if (stateOf(phone) === 'DOWN') kinds.push('DOWN');
  if (validityDays !== null && validityDays <= VALIDITY_WARNING_DAYS) kinds.push('VALIDITY');
  if (estimatedBalance !== null && estimatedBalance < TOP_UP_BELOW) kinds.push('TOPUP');
  return kinds.map((kind) => ({ phoneName: name, kind }));
};
