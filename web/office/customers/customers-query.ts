import { infiniteQueryOptions } from '@tanstack/react-query';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { type Answer, call } from '../../ground/api/call.ts';
import type { CustomerFilter } from './customer-filter.ts';

export type Customer = Answer<'GET /admin/accounts'>['accounts'][number];

const A_PAGE = 50;

export const customersQuery = (filter: CustomerFilter) =>
  infiniteQueryOptions({
    queryKey: ['admin-accounts', filter],
    queryFn: ({ pageParam }) =>
      call('GET /admin/accounts', { query: { ...filter, before: pageParam, limit: A_PAGE } }),
    initialPageParam: undefined as AccountId | undefined,
    getNextPageParam: ({ accounts, more }) => (more ? accounts.at(-1)?._id : undefined),
  });
