import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { AccountId } from '../../contract/accounts.ts';
import type { CallName, Query } from '../../contract/calls.ts';
import { call } from '../api/call.ts';
import { LOG_PAGE_SIZE, type LogFilters } from './log-filters.ts';

const CALL = 'GET /account/:accountId/messages' satisfies CallName;

/** What the server is asked. The account is named, since an admin's question would otherwise be about everyone's. */
export const logQueryOf = (
  accountId: string,
  { dateFrom, dateTo, status, sort, order, page }: LogFilters,
): Query<typeof CALL> =>
  ({
    accountId,
    dateFrom,
    dateTo,
    ...(status && { status }),
    sort,
    sortDesc: order,
    limit: LOG_PAGE_SIZE,
    skip: (page - 1) * LOG_PAGE_SIZE,
  }) as Query<typeof CALL>;

export const logQuery = (accountId: AccountId, filters: LogFilters) => {
  const query = logQueryOf(accountId, filters);
  return queryOptions({
    queryKey: ['messages', accountId, 'log', query],
    // Given up when another search takes its place or the page is left: the server need not look any more.
    queryFn: ({ signal }) => call(CALL, { params: { accountId }, query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
};
