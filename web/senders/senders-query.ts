import { queryOptions } from '@tanstack/react-query';
import type { AccountId } from '../../contract/accounts.ts';
import { type Answer, call } from '../api/call.ts';

export type Sender = Answer<'GET /account/:accountId/senders'>['senders'][number];

export const sendersQuery = (accountId: AccountId) =>
  queryOptions({
    queryKey: ['senders', accountId],
    queryFn: () => call('GET /account/:accountId/senders', { params: { accountId } }),
  });

/** What emails can be sent from as they are; of a domain any address may be, which its owner has to name. */
export const verifiedAddresses = (senders: Sender[]): string[] =>
  senders.filter(({ kind, verified }) => kind === 'address' && verified).map(({ sender }) => sender);
