import { queryOptions } from '@tanstack/react-query';
import { type Answer, call } from '../../ground/api/call.ts';

export type Overview = Answer<'GET /admin/overview'>;
export type Concern = Overview['concerns'][number];

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: () => call('GET /admin/overview'),
  refetchInterval: 5_000,
  staleTime: 0,
});
