import { microsFromDecimal } from '../../contract/money.ts';
import { PHONE_HOSTS, PHONE_SLOTS, type PhoneSlot, type PhoneText } from '../../contract/phone-rules.ts';
import { type PhoneEdit, type PhoneSetting, phoneSetting } from '../../contract/phones.ts';
import { DomainError } from '../domain-error.ts';
import type { Phrase } from '../translations/index.ts';
import type { PhoneChange } from './store.ts';

/** One edited field as the store takes it; a balance has a history of its own. */
export interface ReadEdit {
  change: PhoneChange;
  balanceMicros?: bigint;
}

const MOST_DAYS = 36_500;
const MOST_RATE = 1_000;
const MOST_ALIASES = 50;
const TEXT_MAX = 500;

const EXAMPLE =
  '{"shared":{"from":9,"to":18},"idealVolume":200,"isTransferAvailable":true,"distinctRecipients":150}';

/** What the pages call the fields. */
const FIELD_LABELS: Record<PhoneText, string> = {
  name: 'phones.name',
  phoneNumber: 'phones.number',
  IMSI: 'phones.imsi',
  remark: 'phones.remark',
  startedAt: 'phones.started',
  validityDays: 'phones.validity',
  simHost: 'phones.sim_host',
  whatsappHost: 'phones.whatsapp_host',
  whatsappHostPort: 'phones.whatsapp_port',
  whatsappWebHost: 'phones.web_host',
  port: 'phones.port',
  estimatedBalance: 'phones.balance',
  setting: 'phones.setting',
  transferJobRate: 'phones.rate',
  carrierAliases: 'phones.carriers',
  slot: 'phones.slot',
};

const refuse = (field: PhoneText, fault: Phrase | string): never => {
  throw new DomainError('E_PHONE_FIELD', { field: { label: FIELD_LABELS[field] }, fault });
};

const readText = (field: PhoneText, typed: string): string => {
  const text = typed.replaceAll('\0', '').trim();
  return text.length > TEXT_MAX
    ? refuse(field, { label: 'phones.fault.characters', values: { maximum: TEXT_MAX } })
    : text;
};

const readSetting = (typed: string): PhoneSetting => {
  try {
    return phoneSetting.parse(JSON.parse(typed.trim() || '{}'));
  } catch {
    return refuse('setting', { label: 'phones.fault.setting', values: { example: EXAMPLE } });
  }
};

const readMoment = (typed: string): Date | null => {
  if (typed.trim() === '') return null;
  const moment = new Date(typed.trim());
  return Number.isNaN(moment.getTime()) ? refuse('startedAt', { label: 'phones.fault.date' }) : moment;
};

const readNumber = (field: PhoneText, typed: string, { most, whole }: { most: number; whole: boolean }) => {
  const number = Number(typed.trim() || Number.NaN);
  const fits = number >= 0 && number <= most && (!whole || Number.isInteger(number));
  return fits
    ? number
    : refuse(field, { label: whole ? 'phones.fault.whole_number' : 'phones.fault.number', values: { most } });
};

const readSlot = (typed: string): PhoneSlot | null => {
  if (typed.trim() === '') return null;
  const slot = PHONE_SLOTS.find((one) => one.toLowerCase() === typed.trim().toLowerCase());
  return slot ?? refuse('slot', PHONE_SLOTS.join(', '));
};

const readAliases = (typed: string): string[] => {
  const aliases = [
    ...new Set(
      readText('carrierAliases', typed)
        .split(',')
        .map((one) => one.trim()),
    ),
  ];
  return aliases.length > MOST_ALIASES
    ? refuse('carrierAliases', { label: 'phones.fault.aliases', values: { most: MOST_ALIASES } })
    : aliases.filter((one) => one !== '');
};

const readBalance = (typed: string): bigint =>
  microsFromDecimal(typed.trim()) ?? refuse('estimatedBalance', { label: 'phones.fault.amount' });

const TEXTS: Partial<Record<PhoneText, (typed: string) => PhoneChange>> = {
  IMSI: (typed) => ({ imsi: readText('IMSI', typed) }),
  name: (typed) => ({ name: readText('name', typed) || refuse('name', { label: 'phones.fault.name' }) }),
  startedAt: (typed) => ({ startedAt: readMoment(typed) }),
  validityDays: (typed) => ({
    validityDays:
      typed.trim() === '' ? null : readNumber('validityDays', typed, { most: MOST_DAYS, whole: true }),
  }),
  setting: (typed) => ({ setting: readSetting(typed) }),
  transferJobRate: (typed) => ({
    transferJobRate: readNumber('transferJobRate', typed, { most: MOST_RATE, whole: false }),
  }),
  slot: (typed) => ({ slot: readSlot(typed) }),
  carrierAliases: (typed) => ({ carrierAliases: readAliases(typed) }),
};

const THROTTLES = {
  countTenMinute: 'tenMinutes',
  countOneHour: 'oneHour',
  countEightHour: 'eightHours',
  countOneDay: 'oneDay',
} as const;

/** What the one edited field means. Throws E_PHONE_FIELD with what is expected. */
export const readEdit = (edit: PhoneEdit): ReadEdit => {
  const [field, value] = Object.entries(edit)[0] as [keyof PhoneEdit, string | boolean | number | null];
  if (typeof value === 'boolean') return { change: { [field]: value } };
  if (field in THROTTLES) return { change: { [THROTTLES[field as keyof typeof THROTTLES]]: value } };
  const typed = String(value);
  if (field === 'estimatedBalance') return { change: {}, balanceMicros: readBalance(typed) };
  const text = field as PhoneText;
  const read = TEXTS[text];
  return { change: read ? read(typed) : { [text]: readText(text, typed) } };
};

/** Whether it says where the phone is. */
export const isPlace = (edit: PhoneEdit): boolean => PHONE_HOSTS.some((field) => field in edit);
