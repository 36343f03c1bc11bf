import { infiniteQueryOptions } from '@tanstack/react-query';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { OptOutFilter, OptOutId } from '../../../contract/customer/opt-outs.ts';
import { type Answer, call } from '../../ground/api/call.ts';

export type OptOut = Answer<'GET /account/:accountId/optOuts'>['optOuts'][number];

export const optOutsQuery = (accountId: AccountId, filter: OptOutFilter) =>
  infiniteQueryOptions({
    queryKey: ['opt-outs', accountId, filter],
    queryFn: ({ pageParam }) =>
      call('GET /account/:accountId/optOuts', {
        params: { accountId },
        query: { ...filter, before: pageParam, limit: 50 },
      }),
    initialPageParam: undefined as OptOutId | undefined,
    getNextPageParam: ({ optOuts, more }) => (more ? optOuts.at(-1)?._id : undefined),
  });
