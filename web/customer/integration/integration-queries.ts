import { infiniteQueryOptions } from '@tanstack/react-query';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { CallOutcome } from '../../../contract/customer/integration.ts';
import { type Answer, call } from '../../ground/api/call.ts';

export type ApiInfo = Answer<'GET /account/:accountId/apiInfo'>;
export type OldSecret = ApiInfo['oldSecrets'][number];
export type ApiCall = Answer<'GET /account/:accountId/apiCalls'>['calls'][number];

const CALLS_A_PAGE = 25;

export const apiCallsQuery = (accountId: AccountId, outcome: CallOutcome | undefined) =>
  infiniteQueryOptions({
    queryKey: ['apiCalls', accountId, outcome],
    queryFn: ({ pageParam }) =>
      call('GET /account/:accountId/apiCalls', {
        params: { accountId },
        query: { outcome, before: pageParam, limit: CALLS_A_PAGE },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ calls, more }) => (more ? calls.at(-1)?._id : undefined),
  });
