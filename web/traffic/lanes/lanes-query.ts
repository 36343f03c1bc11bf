import { queryOptions } from '@tanstack/react-query';
import { type Answer, call } from '../../ground/api/call.ts';

export type Lane = Answer<'GET /admin/lanes'>['lanes'][number];

export const lanesQuery = queryOptions({
  queryKey: ['admin-lanes'],
  queryFn: () => call('GET /admin/lanes'),
  refetchInterval: 5_000,
  staleTime: 0,
});
