import { isReleased, phoneNotices, phoneState } from '../../../contract/fleet/phone-rules.ts';
import type { Phone } from '../../../contract/fleet/phones.ts';
import type { PhoneNotice } from '../../../contract/office/reports.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { listPhones } from './store.ts';
import { viewPhone } from './view-phones.ts';

/** Those that were not given back. */
export const readPhones = async (db: Db): Promise<Phone[]> =>
  (await listPhones(db)).filter(({ remark }) => !isReleased(remark)).map(viewPhone);

export const smsHealth = ({ health }: Phone): Phone['health']['sms'] => phoneState(health);

/** What an operator has to look after. */
export const noticesOf = (phone: Phone): PhoneNotice[] =>
  phoneNotices(phone).map((kind) => ({ phoneName: phone.name, kind }));
