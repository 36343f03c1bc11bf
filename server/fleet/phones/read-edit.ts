import {
  isHost,
  isPort,
  PHONE_HOSTS,
  PHONE_SLOTS,
  type PhoneSlot,
  type PhoneText,
} from '../../../contract/fleet/phone-rules.ts';
import { type PhoneEdit, type PhoneSetting, phoneSetting } from '../../../contract/fleet/phones.ts';
import { microsFromDecimal } from '../../../contract/ground/money.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { countryOf, readRecipient } from '../../ground/recipients/index.ts';
import type { Label, Phrase } from '../../ground/translations/index.ts';
import type { NamedCarrier } from '../../traffic/carriers/index.ts';
import type { PhoneChange } from './store.ts';

/** One edited field as the store takes it; a balance has a history of its own. */
export interface ReadEdit {
  change: PhoneChange;
  balanceMicros?: bigint;
}

const MOST_DAYS = 36_500;
const MOST_RATE = 1_000;
const MOST_ALIASES = 50;
/** Carriers that a refusal lists. */
const MOST_NAMED = 20;
const TEXT_MAX = 500;

const EXAMPLE =
  '{"shared":{"from":9,"to":18},"idealVolume":200,"isTransferAvailable":true,"distinctRecipients":150}';

/** What the pages call the fields. */
const FIELD_LABELS: Record<PhoneText, Label> = {
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

export const refuseField = (field: PhoneText, fault: Phrase | string): never => {
  throw new DomainError('E_PHONE_FIELD', { field: { label: FIELD_LABELS[field] }, fault });
};

const readText = (field: PhoneText, typed: string): string => {
  const text = typed.replaceAll('\0', '').trim();
  return text.length > TEXT_MAX
    ? refuseField(field, { label: 'phones.fault.characters', values: { maximum: TEXT_MAX } })
    : text;
};

const readSetting = (typed: string): PhoneSetting => {
  try {
    return phoneSetting.parse(JSON.parse(typed.trim() || '{}'));
  } catch {
    return refuseField('setting', { label: 'phones.fault.setting', values: { example: EXAMPLE } });
  }
};

const readMoment = (typed: string): Date | null => {
  if (typed.trim() === '') return null;
  const moment = new Date(typed.trim());
  return Number.isNaN(moment.getTime()) ? refuseField('startedAt', { label: 'phones.fault.date' }) : moment;
};

const readNumber = (field: PhoneText, typed: string, { most, whole }: { most: number; whole: boolean }) => {
  const number = Number(typed.trim() || Number.NaN);
  const fits = number >= 0 && number <= most && (!whole || Number.isInteger(number));
  return fits
    ? number
    : refuseField(field, {
        label: whole ? 'phones.fault.whole_number' : 'phones.fault.number',
        values: { most },
      });
};

const readSlot = (typed: string): PhoneSlot | null => {
  if (typed.trim() === '') return null;
  const slot = PHONE_SLOTS.find((one) => one.toLowerCase() === typed.trim().toLowerCase());
  return slot ?? refuseField('slot', PHONE_SLOTS.join(', '));
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
    ? refuseField('carrierAliases', { label: 'phones.fault.aliases', values: { most: MOST_ALIASES } })
    : aliases.filter((one) => one !== '');
};

/** As messages name it; without a country code it is one of the installation's country. */
export const readNumberOf = (typed: string): string => {
  const text = readText('phoneNumber', typed);
  if (text === '') return '';
  try {
    return readRecipient('sms', text, countryOf(undefined)).recipient;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return refuseField('phoneNumber', { label: 'phones.fault.phone_number' });
  }
};

const readHost = (field: PhoneText, typed: string): string => {
  const host = readText(field, typed);
  return host === '' || isHost(host) ? host : refuseField(field, { label: 'phones.fault.host' });
};

const readPort = (field: PhoneText, typed: string): string => {
  const port = readText(field, typed);
  return port === '' || isPort(port) ? port : refuseField(field, { label: 'phones.fault.port' });
};

/** Aliases by the names that messages have, also if a carrier is called by its short or its long one. */
export const knownAliases = (aliases: string[], carriers: NamedCarrier[]): string[] => {
  const names = new Map(
    carriers.flatMap(({ name, short, long }) => [name, short, long].map((one) => [one.toLowerCase(), name])),
  );
  const known = aliases.map(
    (alias) =>
      names.get(alias.toLowerCase()) ??
      refuseField('carrierAliases', {
        label: 'phones.fault.unknown_alias',
        values: {
          known: carriers
            .slice(0, MOST_NAMED)
            .map(({ name }) => name)
            .join(', '),
          alias,
        },
      }),
  );
  return [...new Set(known)];
};

const readBalance = (typed: string): bigint =>
  microsFromDecimal(typed.trim()) ?? refuseField('estimatedBalance', { label: 'phones.fault.amount' });

const TEXTS: Partial<Record<PhoneText, (typed: string) => PhoneChange>> = {
  IMSI: (typed) => ({ imsi: readText('IMSI', typed) }),
  name: (typed) => ({ name: readText('name', typed) || refuseField('name', { label: 'phones.fault.name' }) }),
  startedAt: (typed) => ({ startedAt: readMoment(typed) }),
  validityDays: (typed) => ({
    validityDays:
      typed.trim() === '' ? null : readNumber('validityDays', typed, { most: MOST_DAYS, whole: true }),
  }),
  phoneNumber: (typed) => ({ phoneNumber: readNumberOf(typed) }),
  simHost: (typed) => ({ simHost: readHost('simHost', typed) }),
  whatsappHost: (typed) => ({ whatsappHost: readHost('whatsappHost', typed) }),
  whatsappWebHost: (typed) => ({ whatsappWebHost: readHost('whatsappWebHost', typed) }),
  whatsappHostPort: (typed) => ({ whatsappHostPort: readPort('whatsappHostPort', typed) }),
  port: (typed) => ({ port: readPort('port', typed) }),
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
