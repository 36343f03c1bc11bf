import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CallName, Query } from '../../../../contract/calls.ts';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { call } from '../../../ground/api/call.ts';
import { followMs } from '../../../ground/api/follow.ts';
import { LOG_PAGE_SIZE, type LogFilters } from './log-filters.ts';

const CALL = 'GET /account/:accountId/messages' satisfies CallName;

/** The query of the call. It names the account, because an admin's search would otherwise cover all accounts. */
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
    // Aborted when another search replaces it or the page is left, so that the server stops searching.
    queryFn: ({ signal }) => call(CALL, { params: { accountId }, query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => followMs(state.data?.messages ?? []),
    refetchOnWindowFocus: 'always',
  });
};
