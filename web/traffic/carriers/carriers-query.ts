import { queryOptions } from '@tanstack/react-query';
import { type Answer, call } from '../../ground/api/call.ts';

export type CarrierPrefix = Answer<'GET /admin/carrierPrefixes'>['prefixes'][number];

export const carriersQuery = queryOptions({
  queryKey: ['carrier-prefixes'],
  queryFn: () => call('GET /admin/carrierPrefixes'),
  refetchOnMount: 'always',
});
