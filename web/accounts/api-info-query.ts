import { queryOptions, skipToken } from '@tanstack/react-query';
import type { AccountId } from '../../contract/accounts.ts';
import { call } from '../api/call.ts';

export const apiInfoQuery = (accountId: AccountId | undefined) =>
  queryOptions({
    queryKey: ['apiInfo', accountId],
    queryFn: accountId ? () => call('GET /account/:accountId/apiInfo', { params: { accountId } }) : skipToken,
  });
