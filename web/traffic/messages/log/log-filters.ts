import type { MessageSort } from '../../../../contract/traffic/message-search.ts';
import type { MessageStatus } from '../../../../contract/traffic/messages.ts';
import { isDay } from '../../../ground/i18n/moment-text.ts';
import { type Days, recentDays } from '../search/days.ts';

export const LOG_STATUSES = [
  'PENDING',
  'FAILED',
  'SUCCESS',
  'FAILED_WITH_EXCEPTION',
] as const satisfies MessageStatus[];
export const LOG_SORTS = [
  'createdAt',
  'phoneNumber',
  'price',
  'status',
  'test',
] as const satisfies MessageSort[];
export const LOG_PAGE_SIZE = 15;

/** The filters of the log, as the page's address keeps them. */
export interface LogFilters extends Days {
  status: (typeof LOG_STATUSES)[number] | '';
  sort: (typeof LOG_SORTS)[number];
  order: 'asc' | 'desc';
  page: number;
}

/**
 * The older screen searched for SUCCESS while its select showed Any. The search must match the select, and a reader
 * who looks for the outcome of a message must not miss the failed ones: the default is Any.
 */
export const defaultLog = (now = new Date()): LogFilters => ({
  ...recentDays(now),
  status: '',
  sort: 'createdAt',
  order: 'desc',
  page: 1,
});

const TESTS: Record<keyof LogFilters, (value: unknown) => boolean> = {
  dateFrom: isDay,
  dateTo: isDay,
  status: (value) => ['', ...LOG_STATUSES].some((status) => status === value),
  sort: (value) => LOG_SORTS.some((sort) => sort === value),
  order: (value) => value === 'asc' || value === 'desc',
  page: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 6_000_000,
};

/** Reads the filters from the page's address; an invalid one gets its default. */
export const readLog = (given: unknown, now = new Date()): LogFilters => {
  const sound = Object.entries(typeof given === 'object' && given !== null ? given : {}).filter(
    ([name, value]) => Object.hasOwn(TESTS, name) && TESTS[name as keyof LogFilters](value),
  );
  return { ...defaultLog(now), ...Object.fromEntries(sound) };
};
