import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Body } from '../../../../contract/calls.ts';
import type { BulkActionId } from '../../../../contract/office/bulk-actions.ts';
import { type Answer, call } from '../../../ground/api/call.ts';

export type BulkAction = Answer<'POST /admin/bulkActions'>['action'];
type Asked = Body<'POST /admin/bulkActions'>;
export type BulkChoice = Pick<Asked, 'action' | 'phoneName' | 'laneId'>;
/** What it is about: messages by their ids, all that match a search, or all in doubt. */
export type BulkTarget = Pick<Asked, 'ids' | 'search' | 'inDoubt'>;

const FOLLOW_MS = 500;
const REFUSED_PAGE = 100;

export const isRunning = ({ state }: Pick<BulkAction, 'state'>): boolean =>
  state === 'GATHERING' || state === 'RUNNING';

export const bulkActionQuery = (actionId: BulkActionId) =>
  queryOptions({
    queryKey: ['bulk-action', actionId],
    queryFn: () => call('GET /admin/bulkActions/:actionId', { params: { actionId } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (!state.data || isRunning(state.data.action) ? FOLLOW_MS : false),
  });

/** Those that were left as they are, with the reasons. */
export const refusedQuery = (actionId: BulkActionId) =>
  infiniteQueryOptions({
    queryKey: ['bulk-refused', actionId],
    queryFn: ({ pageParam }) =>
      call('GET /admin/bulkActions/:actionId/results', {
        params: { actionId },
        query: { outcome: 'refused', after: pageParam, limit: REFUSED_PAGE },
      }),
    initialPageParam: 0,
    getNextPageParam: ({ results, more }) => (more ? results.at(-1)?.place : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  });
