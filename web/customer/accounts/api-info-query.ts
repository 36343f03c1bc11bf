import { queryOptions, skipToken } from '@tanstack/react-query';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { call } from '../../ground/api/call.ts';

export const apiInfoQuery = (accountId: AccountId | undefined) =>
  queryOptions({
    queryKey: ['apiInfo', accountId],
    queryFn: accountId ? () => call('GET /account/:accountId/apiInfo', { params: { accountId } }) : skipToken,
  });
