import { queryOptions } from '@tanstack/react-query';
import { type Answer, call } from '../../ground/api/call.ts';

export type Agent = Answer<'GET /admin/agents'>['agents'][number];

const REFRESH_EVERY_MS = 5_000;

/** Read again and again: whoever has just started an agent waits for it to appear. */
export const agentsQuery = queryOptions({
  queryKey: ['agents'],
  queryFn: () => call('GET /admin/agents'),
  refetchInterval: REFRESH_EVERY_MS,
});
