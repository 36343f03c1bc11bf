import { queryOptions } from '@tanstack/react-query';
import type { AccountId } from '../../contract/accounts.ts';
import { type Answer, call } from '../api/call.ts';

export type Sender = Answer<'GET /account/:accountId/senders'>['senders'][number];

export const sendersQuery = (accountId: AccountId) =>
  queryOptions({
    queryKey: ['senders', accountId],
    queryFn: () => call('GET /account/:accountId/senders', { params: { accountId } }),
  });
