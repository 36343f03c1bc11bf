import type { MessageSort } from '../../contract/message-search.ts';
import type { MessageStatus } from '../../contract/messages.ts';
import { type Days, isDay, recentDays } from './days.ts';

export const LOG_STATUSES = ['PENDING', 'FAILED', 'SUCCESS'] as const satisfies MessageStatus[];
export const LOG_SORTS = [
  'createdAt',
  'phoneNumber',
  'price',
  'status',
  'test',
] as const satisfies MessageSort[];
export const LOG_PAGE_SIZE = 15;

/** What the log shows, as the page's address keeps it. */
export interface LogFilters extends Days {
  status: (typeof LOG_STATUSES)[number] | '';
  sort: (typeof LOG_SORTS)[number];
  order: 'asc' | 'desc';
  page: number;
}

/**
 * The older screen looked for SUCCESS while its select stood on Any. What is asked for has to be what is shown, and
 * whoever opens a log to find out what became of a message must not miss those that failed: it is Any.
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

/** The log as the address tells it; what makes no sense is as it is without. */
export const readLog = (given: unknown, now = new Date()): LogFilters => {
  const sound = Object.entries(typeof given === 'object' && given !== null ? given : {}).filter(
    ([name, value]) => Object.hasOwn(TESTS, name) && TESTS[name as keyof LogFilters](value),
  );
  return { ...defaultLog(now), ...Object.fromEntries(sound) };
};
