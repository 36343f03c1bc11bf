import {
  isHost,
  isPort,
  PHONE_HOSTS,
  PHONE_SLOTS,
  PHONE_TEXT_MOST,
  PHONE_TEXT_RULES,
  type PhoneSlot,
  type PhoneText,
  type PhoneTextKind,
} from '../../../contract/fleet/phone-rules.ts';
import { type PhoneEdit, type PhoneSetting, phoneSetting } from '../../../contract/fleet/phones.ts';
import { microsFromDecimal } from '../../../contract/ground/money.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { countryOf, readRecipient } from '../../ground/recipients/index.ts';
import type { Label, Phrase } from '../../ground/translations/index.ts';
import type { NamedCarrier } from '../../traffic/carriers/index.ts';
import { type PhoneChange, STORED_AS } from './store.ts';

/** One edited field as the store takes it; a balance has a history of its own. */
export interface ReadEdit {
  change: PhoneChange;
  balanceMicros?: bigint;
}

/** Carriers that a refusal lists. */
const MOST_NAMED = 20;

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
  return text.length > PHONE_TEXT_MOST
    ? refuseField(field, { label: 'phones.fault.characters', values: { maximum: PHONE_TEXT_MOST } })
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

const readNumber = (field: 'validityDays' | 'transferJobRate', typed: string) => {
  const { kind, most } = PHONE_TEXT_RULES[field];
  const whole = kind === 'days';
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
  const { most } = PHONE_TEXT_RULES.carrierAliases;
  return aliases.length > most
    ? refuseField('carrierAliases', { label: 'phones.fault.aliases', values: { most } })
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

/** A balance has a history of its own, and is read apart. */
const READERS: Record<
  Exclude<PhoneTextKind, 'amount'>,
  (typed: string, field: PhoneText) => PhoneChange[keyof PhoneChange]
> = {
  text: (typed, field) => readText(field, typed),
  name: (typed, field) => readText(field, typed) || refuseField(field, { label: 'phones.fault.name' }),
  number: readNumberOf,
  moment: readMoment,
  days: (typed) => (typed.trim() === '' ? null : readNumber('validityDays', typed)),
  host: (typed, field) => readHost(field, typed),
  port: (typed, field) => readPort(field, typed),
  setting: readSetting,
  rate: (typed) => readNumber('transferJobRate', typed),
  list: readAliases,
  slot: readSlot,
};

const isText = (field: keyof PhoneEdit): field is PhoneText => field in PHONE_TEXT_RULES;

/** What the one edited field means. Throws E_PHONE_FIELD with what is expected. */
export const readEdit = (edit: PhoneEdit): ReadEdit => {
  const [field, value] = Object.entries(edit)[0] as [keyof PhoneEdit, string | boolean | number | null];
  const stored = STORED_AS[field as keyof typeof STORED_AS] ?? field;
  if (!isText(field)) return { change: { [stored]: value } };
  const { kind } = PHONE_TEXT_RULES[field];
  const typed = String(value);
  if (kind === 'amount') return { change: {}, balanceMicros: readBalance(typed) };
  return { change: { [stored]: READERS[kind](typed, field) } };
};

/** Whether it says where the phone is. */
export const isPlace = (edit: PhoneEdit): boolean => PHONE_HOSTS.some((field) => field in edit);
