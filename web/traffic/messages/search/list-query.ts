import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Body, CallName, Query } from '../../../../contract/calls.ts';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { type Answer, call } from '../../../ground/api/call.ts';
import { followMs } from '../../../ground/api/follow.ts';
import { type MessageFilters, PAGE_SIZE, USUAL_COUNTRY_CODE } from './message-filters.ts';

const CALL = 'GET /account/:accountId/messages' satisfies CallName;

type MessageList = Answer<typeof CALL>;
export type ListedMessage = MessageList['messages'][number];

/** The query of the call; a filter that is set to Any is not sent. */
export const queryOf = (filters: MessageFilters): Query<typeof CALL> => {
  const { page, carrierNames, autoRefresh: _, countryCode, phoneNumber, accountId, ...rest } = filters;
  const given = Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) => {
      const trimmed = name === 'message' ? value : value.trim();
      return trimmed === '' ? [] : [[name, trimmed]];
    }),
  );
  return {
    ...given,
    ...(countryCode && { countryCode }),
    ...(phoneNumber.trim() && {
      countryCode: countryCode || USUAL_COUNTRY_CODE,
      phoneNumber: phoneNumber.trim(),
    }),
    ...(carrierNames.length > 0 && { carrierNames: carrierNames.join(',') }),
    ...(accountId && { accountId: accountId as AccountId }),
    limit: PAGE_SIZE,
    skip: (page - 1) * PAGE_SIZE,
  } as Query<typeof CALL>;
};

/** The same filters for all that match, on whichever page. */
export const bulkSearch = (
  filters: MessageFilters,
): NonNullable<Body<'POST /admin/bulkActions'>['search']> => {
  const {
    limit: _limit,
    skip: _skip,
    sort: _sort,
    order: _order,
    sortDesc: _desc,
    ...search
  } = queryOf(filters);
  return search;
};

export const listQuery = (accountId: AccountId, filters: MessageFilters) => {
  const query = queryOf(filters);
  return queryOptions({
    queryKey: ['messages', accountId, query],
    // Aborted when another search replaces it or the page is left, so that the server stops searching.
    queryFn: ({ signal }) => call(CALL, { params: { accountId }, query, signal }),
    placeholderData: keepPreviousData,
    // Messages arrive and change at any moment: the cached list is only shown until the answer arrives.
    staleTime: 0,
    refetchInterval: ({ state }) => followMs(state.data?.messages ?? []),
    refetchOnWindowFocus: 'always',
  });
};

/** The accounts that an admin may filter by. */
export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: () => call('GET /accounts'),
  staleTime: 5 * 60_000,
});

/** The lanes that an admin may filter by. */
export const laneNamesQuery = queryOptions({
  queryKey: ['lanes'],
  queryFn: () => call('GET /lanes'),
  staleTime: 5 * 60_000,
});
