import { queryOptions } from '@tanstack/react-query';
import { type Answer, call } from '../../ground/api/call.ts';

export type Retention = Answer<'GET /admin/retention'>;

export const retentionQuery = queryOptions({
  queryKey: ['retention'],
  queryFn: () => call('GET /admin/retention'),
});
