import {
  PHONE_FLAGS,
  PHONE_TEXT_RULES,
  PHONE_THROTTLES,
  type PhoneField,
  type PhoneFlag,
  type PhoneNoticeKind,
  type PhoneText,
  type PhoneTextKind,
  type PhoneThrottle,
  phoneNotices,
  readFlag,
  readThrottle,
} from '../../../contract/fleet/phone-rules.ts';
import type { PhoneEdit } from '../../../contract/fleet/phones.ts';
import { formatDateTime } from '../../ground/i18n/format.ts';
import { instantOf } from '../../ground/i18n/instant-of.ts';
import { isDay, isMoment } from '../../ground/i18n/moment-text.ts';
import type { Phone } from './phones-query.ts';

const isFlag = (field: PhoneField): field is PhoneFlag => PHONE_FLAGS.includes(field as PhoneFlag);
const isThrottle = (field: PhoneField): field is PhoneThrottle =>
  PHONE_THROTTLES.includes(field as PhoneThrottle);

/** A field as it is shown and typed. */
export const fieldText = (phone: Phone, field: PhoneField): string => {
  if (isThrottle(field)) return String(phone.sendSetting.throttle[field] ?? '');
  if (field === 'setting') return JSON.stringify(phone.setting);
  if (field === 'carrierAliases') return phone.carrierAliases.join(', ');
  if (field === 'startedAt') return phone.startedAt ? formatDateTime(phone.startedAt) : '';
  return String(phone[field] ?? '');
};

/** A time or a day of the reader's; the server refuses what is neither. */
const momentOf = (typed: string): string => {
  const moment = isDay(typed) ? `${typed} 00:00` : typed;
  return isMoment(moment) ? instantOf(moment) : typed;
};

/** What is sent for what was typed: flags as true or false, throttles as integers, all else as text. */
export const readTypedField = (field: PhoneField, typed: string): PhoneEdit => {
  if (isFlag(field)) return { [field]: readFlag(typed) };
  if (isThrottle(field)) return { [field]: readThrottle(typed) };
  if (field === 'startedAt') return { startedAt: momentOf(typed.trim()) };
  return { [field]: typed };
};

const parsedSetting = (phone: Phone, typed: string): Phone['setting'] => {
  try {
    return JSON.parse(typed || '{}');
  } catch {
    return phone.setting;
  }
};

/** What is read otherwise than as it was typed, until the server has read it. */
const READ: Partial<Record<PhoneTextKind, (typed: string, phone: Phone) => Phone[PhoneText]>> = {
  setting: (typed, phone) => parsedSetting(phone, typed),
  list: (typed) => typed.split(',').flatMap((alias) => alias.trim() || []),
  amount: (typed) => Number(typed) || 0,
  rate: (typed) => Number(typed) || 0,
  // Shown as the server reads it.
  moment: (_, { startedAt }) => startedAt,
  days: (typed) => Number.parseInt(typed, 10) || 0,
};

/** The phone as it will be if the server agrees. */
export const withEdit = (phone: Phone, edit: PhoneEdit): Phone => {
  const [field, value] = Object.entries(edit)[0] as [PhoneField, string | boolean | number | null];
  if (isThrottle(field)) {
    const throttle = { ...phone.sendSetting.throttle, [field]: value as number | null };
    return { ...phone, sendSetting: { throttle } };
  }
  const read = isFlag(field) ? undefined : READ[PHONE_TEXT_RULES[field].kind];
  return { ...phone, [field]: read ? read(String(value), phone) : value };
};

const SEARCHED = [
  'name',
  'phoneNumber',
  'IMSI',
  'remark',
  'simHost',
  'whatsappHost',
  'whatsappWebHost',
  'carrierAliases',
] as const;

/** What a phone is found by, written once: a search looks at every phone with each key. */
const searchTexts = new WeakMap<Phone, string>();
const searchText = (phone: Phone): string => {
  const known = searchTexts.get(phone);
  if (known !== undefined) return known;
  // What is searched for is one line, so nothing is found across two fields.
  const text = SEARCHED.map((field) => fieldText(phone, field))
    .join('\n')
    .toLowerCase();
  searchTexts.set(phone, text);
  return text;
};

/** Phones that have the searched text in their name, number, IMSI, remark, hosts or carriers, and that notice. */
export const findPhones = (phones: Phone[], q: string, notice?: PhoneNoticeKind): Phone[] => {
  const sought = q.trim().toLowerCase();
  if (sought === '' && !notice) return phones;
  const found = phones.filter(
    (phone) => searchText(phone).includes(sought) && (!notice || phoneNotices(phone).includes(notice)),
  );
  // Returns the same array for the same rows, so that the list is not rendered again.
  return found.length === phones.length ? phones : found;
};
