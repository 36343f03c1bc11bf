import { CHANNELS, type Channel } from '../../../../contract/ground/channels.ts';
import type { MessageSort } from '../../../../contract/traffic/message-search.ts';
import { MESSAGE_STATUSES, MESSAGE_TYPES, SIM_METHODS } from '../../../../contract/traffic/message-values.ts';
import type { MessageStatus } from '../../../../contract/traffic/messages.ts';
import { isDay } from '../../../ground/i18n/moment-text.ts';
import { recentDays } from './days.ts';

/** The filters, order and page of a search, as the page's address keeps them. */
export interface MessageFilters {
  dateFrom: string;
  dateTo: string;
  status: MessageStatus | '';
  channel: Channel | '';
  type: (typeof MESSAGE_TYPES)[number] | '';
  /** Of the number, or without one of all whose numbers have it; '': the usual one of a number, and any otherwise. */
  countryCode: string;
  phoneNumber: string;
  message: string;
  _id: string;
  /** The sender's own reference, whenever it was sent. */
  identifier: string;
  /** Of one batch, whenever it was sent. */
  batchId: string;
  /** Of the other party's number: two letters. */
  country: string;
  /** Only what waits for its time, whenever it was created. */
  scheduled: 'true' | '';
  /** Only what was delivered. */
  delivered: 'true' | '';
  sort: MessageSort;
  order: 'asc' | 'desc';
  page: number;
  /** The rest is for admins. */
  accountId: string;
  phoneId: string;
  carrierNames: string[];
  provider: string;
  method: (typeof SIM_METHODS)[number] | '';
  autoRefresh: boolean;
}

export const PAGE_SIZE = 50;
/** Of a number that is typed without one. */
export const USUAL_COUNTRY_CODE = '+852';

/** In the order of the select: what is in doubt is last. */
export const STATUSES: MessageStatus[] = [
  ...MESSAGE_STATUSES.filter((status) => status !== 'FAILED_WITH_EXCEPTION'),
  'FAILED_WITH_EXCEPTION',
];
const SORTS: MessageSort[] = ['createdAt', '_id', 'type', 'status', 'channel'];
const ADMIN_SORTS: MessageSort[] = [...SORTS, 'updatedAt'];

export const defaultFilters = (now = new Date()): MessageFilters => ({
  ...recentDays(now),
  status: '',
  channel: '',
  type: '',
  countryCode: '',
  phoneNumber: '',
  message: '',
  _id: '',
  identifier: '',
  batchId: '',
  country: '',
  scheduled: '',
  delivered: '',
  sort: 'createdAt',
  order: 'desc',
  page: 1,
  accountId: '',
  phoneId: '',
  carrierNames: [],
  provider: '',
  method: '',
  autoRefresh: false,
});

/** Whether the list has the order of the exported file. */
export const isNewestFirst = ({ sort, order }: MessageFilters): boolean =>
  sort === 'createdAt' && order === 'desc';

/** A UUID as the server accepts it. */
export const isAccountId = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i.test(value);

type Test = (value: unknown) => boolean;
const oneOf =
  (values: readonly unknown[]): Test =>
  (value) =>
    values.includes(value);
const text =
  (length: number): Test =>
  (value) =>
    typeof value === 'string' && value.length <= length;

const CUSTOMER_TESTS: Partial<Record<keyof MessageFilters, Test>> = {
  dateFrom: isDay,
  dateTo: isDay,
  status: oneOf(['', ...STATUSES]),
  channel: oneOf(['', ...CHANNELS]),
  type: oneOf(['', ...MESSAGE_TYPES]),
  countryCode: (value) => typeof value === 'string' && /^(\+\d{1,4})?$/.test(value),
  phoneNumber: text(320),
  message: text(200),
  _id: text(100),
  identifier: text(200),
  batchId: (value) => value === '' || isAccountId(value),
  country: (value) => typeof value === 'string' && /^([A-Z]{2})?$/.test(value),
  scheduled: oneOf(['', 'true']),
  delivered: oneOf(['', 'true']),
  sort: oneOf(SORTS),
  order: oneOf(['asc', 'desc']),
  page: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 2_000_000,
};

const ADMIN_TESTS: typeof CUSTOMER_TESTS = {
  ...CUSTOMER_TESTS,
  sort: oneOf(ADMIN_SORTS),
  accountId: (value) => value === '' || isAccountId(value),
  phoneId: text(100),
  carrierNames: (value) => Array.isArray(value) && value.length <= 50 && value.every(text(30)),
  provider: text(100),
  method: oneOf(['', ...SIM_METHODS]),
  autoRefresh: (value) => typeof value === 'boolean',
};

interface ReadFilters {
  filters: MessageFilters;
  /** Whether the address had an invalid filter, which was ignored. */
  broken: boolean;
}

/** Reads the search from the page's address; invalid filters, and those that the reader may not use, are ignored. */
export const readFilters = (given: unknown, { admin }: { admin: boolean }, now = new Date()): ReadFilters => {
  const filters = defaultFilters(now);
  if (given === undefined) return { filters, broken: false };
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return { filters, broken: true };
  const tests = admin ? ADMIN_TESTS : CUSTOMER_TESTS;
  const entries = Object.entries(given);
  const sound = entries.filter(
    ([name, value]) => Object.hasOwn(tests, name) && tests[name as keyof MessageFilters]?.(value),
  );
  const read = { ...filters, ...Object.fromEntries(sound) };
  return { filters: read, broken: sound.length < entries.length };
};

/** Only what differs from the defaults goes into the address; with any difference the days do too. */
export const writeFilters = (filters: MessageFilters): Partial<MessageFilters> => {
  const plain = defaultFilters();
  const names = Object.keys(plain) as (keyof MessageFilters)[];
  const changed = names.filter((name) => JSON.stringify(filters[name]) !== JSON.stringify(plain[name]));
  if (changed.length === 0) return {};
  return Object.fromEntries(
    names
      .filter((name) => name === 'dateFrom' || name === 'dateTo' || changed.includes(name))
      .map((name) => [name, filters[name]]),
  );
};

export const sameFilters = (one: MessageFilters, other: MessageFilters): boolean =>
  (Object.keys(one) as (keyof MessageFilters)[]).every(
    (name) => JSON.stringify(one[name]) === JSON.stringify(other[name]),
  );
