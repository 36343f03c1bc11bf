import { getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { z } from 'zod';
import type { Query } from '../../../../contract/calls.ts';
import { isEmail } from '../../../../contract/ground/constants.ts';
import { type MessageId, messageId } from '../../../../contract/traffic/messages.ts';
import { findContact } from '../../../customer/accounts/index.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { localTime, momentOf } from '../../../ground/local-time/index.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { countriesOf, countryOf } from '../../../ground/recipients/index.ts';
import type { Caller } from '../../../ground/route/index.ts';
import { findLaneIds } from '../../lanes/index.ts';
import { findBatchOf, type SearchedBatch } from '../batch-store.ts';
import type { Search, SearchPage } from './search-store.ts';

type Asked = Query<'GET /account/:accountId/messages'>;
/** The filters, without the page. */
export type AskedFilter = Omit<Asked, 'limit' | 'skip' | 'sort' | 'order' | 'sortDesc'>;

const DAY_MS = 86_400_000;
const DAYS_BACK = 7;
const LONGEST_SCHEDULE_DAYS = 370;
/** No message is older. */
const FIRST_DAY = new Date('2020-01-01T00:00:00Z');
/** No message has it. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

const dayOf = (moment: number, timeZone: string): string =>
  localTime(new Date(moment), timeZone).slice(0, 10);
const nextDay = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);

const startOf = (day: string, timeZone: string): Date => {
  const moment = momentOf(`${day}T00:00:00`, timeZone);
  if (!moment) throw new DomainError('E_INVALID_REQUEST', { reason: day });
  return moment;
};

/** Calendar days in the account's time zone, the last one included. */
const rangeOf = ({ dateFrom, dateTo }: AskedFilter, timeZone: string) => ({
  from: startOf(dateFrom ?? dayOf(Date.now() - DAYS_BACK * DAY_MS, timeZone), timeZone),
  to: startOf(nextDay(dateTo ?? dayOf(Date.now() + DAY_MS, timeZone)), timeZone),
});

/** Long enough for whatever may still wait for its time. */
const everScheduled = () => ({
  from: new Date(Date.now() - LONGEST_SCHEDULE_DAYS * DAY_MS),
  to: new Date(Date.now() + DAY_MS),
});

/** A reference is searched for among all messages. */
const whenever = () => ({ from: FIRST_DAY, to: new Date(Date.now() + DAY_MS) });

/** All messages of a batch have its time. */
const momentOfBatch = ({ createdMs }: SearchedBatch) => ({
  from: new Date(createdMs),
  to: new Date(createdMs + 1),
});

/** A complete number is searched for exactly, any other as a prefix, or as the short code that it may be. */
export const searchedParty = ({
  phone,
  countryCode,
  phoneNumber,
}: Pick<Asked, 'phone' | 'countryCode' | 'phoneNumber'>): Search['party'] => {
  const typed = (phone ?? phoneNumber ?? '').replaceAll('\0', '').trim();
  if (typed === '') return undefined;
  if (/[@\p{L}]/u.test(typed)) {
    const address = typed.normalize('NFC').replace(/@[^@]*$/, (domain) => domain.toLowerCase());
    return { text: address, whole: isEmail(address) };
  }
  const country = countryOf(countryCode);
  const number = parsePhoneNumberFromString(typed, { defaultCountry: country, extract: false });
  if (number?.isValid()) return { text: number.number, whole: true };
  const digits = typed.replace(/\D/g, '');
  if (digits === '') return { text: typed, whole: true };
  // Some write a country's code without its plus.
  const abroad = phone === undefined ? undefined : parsePhoneNumberFromString(`+${digits}`);
  if (abroad?.isValid()) return { text: abroad.number, whole: true };
  if (typed.startsWith('+')) return { text: `+${digits}`, whole: false };
  const code = phone === undefined ? getCountryCallingCode(country) : '';
  return { text: `+${code}${digits}`, whole: false, shortCode: digits };
};

/** A code that is no country's, such as that of toll-free numbers of the world, is a number's beginning. */
const placesOf = ({
  country,
  countryCode,
  phone,
  phoneNumber,
}: AskedFilter): Pick<Search, 'countries' | 'party'> => {
  const given = country === undefined ? undefined : [country];
  const code = countryCode?.trim();
  // With a number it says how the number is read.
  if (!code || (phone ?? phoneNumber ?? '').trim()) return { countries: given };
  const among = countriesOf(code);
  if (among.length === 0)
    return { countries: given, party: { text: `+${code.replace(/\D/g, '')}`, whole: false } };
  return { countries: given?.filter((one) => among.some((other) => other === one)) ?? among };
};

/** A whole id, or how it ends: at least as much as lists show, which begins with an ellipsis there. */
const idOf = (sought: string): Pick<Search, 'id' | 'idEnd'> => {
  const whole = z.safeParse(messageId, sought).data;
  if (whole) return { id: whole };
  const end = sought.replace(/^…/, '').toLowerCase();
  return /^[\da-f-]{8,35}$/.test(end) ? { idEnd: end } : { id: NOBODY as MessageId };
};

const placeOf = ({ sort, order, sortDesc, skip, limit }: Asked): SearchPage => ({
  sort,
  descending: (order ?? sortDesc ?? 'desc') === 'desc',
  skip,
  limit,
});

/** The lanes that match an admin's filters; there may be none. */
const lanesOf = async (db: Db, { provider, phoneId, method }: AskedFilter): Promise<number[] | undefined> =>
  provider || phoneId || method ? findLaneIds(db, { provider, phone: phoneId, method }) : undefined;

const carriersOf = ({ carrierName, carrierNames = '' }: AskedFilter): string[] | undefined => {
  const carriers = [carrierName, ...carrierNames.split(',')].flatMap((name) => name?.trim() || []);
  return carriers.length > 0 ? carriers : undefined;
};

/** Translates a filter for its reader and their time zone: customers see their own messages, whatever they ask for. */
export const readFilter = async (
  db: Db,
  caller: Caller,
  asked: AskedFilter,
): Promise<{ search: Search; timeZone: string }> => {
  const { accountId, provider, phoneId, method, carrierName, carrierNames } = asked;
  const anothers = accountId !== undefined && accountId !== caller.accountId;
  if (!caller.admin && (anothers || provider || phoneId || method || carrierName || carrierNames))
    throw new DomainError('E_FORBIDDEN');
  const contact = await findContact(db, caller.accountId);
  if (!contact) throw new DomainError('E_NOT_FOUND');
  const { _id, batchId } = asked;
  const batch = batchId
    ? await findBatchOf(db, { batchId, accountId: caller.admin ? accountId : caller.accountId })
    : undefined;
  const identifier = asked.identifier?.replaceAll('\0', '').trim() || undefined;
  const sought = batchId && !batch ? NOBODY : _id;
  return {
    search: {
      ...(asked.scheduled ? everScheduled() : rangeOf(asked, contact.timeZone)),
      ...(identifier && whenever()),
      ...(batch && { batch, ...momentOfBatch(batch) }),
      accountId: caller.admin ? accountId : caller.accountId,
      status: asked.status,
      channel: asked.channel,
      type: asked.type,
      ...(sought && idOf(sought)),
      identifier,
      party: searchedParty(asked),
      ...placesOf(asked),
      text: asked.message?.replaceAll('\0', '') || undefined,
      laneIds: await lanesOf(db, asked),
      carriers: carriersOf(asked),
      scheduled: asked.scheduled !== undefined,
      delivered: asked.delivered !== undefined,
    },
    timeZone: contact.timeZone,
  };
};

/** Translates a request of the list. */
export const readSearch = async (
  db: Db,
  caller: Caller,
  asked: Asked,
): Promise<{ search: Search; place: SearchPage }> => {
  if (asked.sort === 'updatedAt' && !caller.admin) throw new DomainError('E_FORBIDDEN');
  const { search } = await readFilter(db, caller, asked);
  return { search, place: placeOf(asked) };
};
