import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { type Answer, call } from '../../ground/api/call.ts';

const ACCOUNT_SENDERS = 50;

export type Sender = Answer<'GET /account/:accountId/senders'>['senders'][number];

export const sendersQuery = (accountId: AccountId) =>
  queryOptions({
    queryKey: ['senders', accountId],
    queryFn: () => call('GET /account/:accountId/senders', { params: { accountId } }),
  });

export type AccountSender = Answer<'GET /admin/senders'>['senders'][number];

/** As admins see them, the newest first. */
export const accountSendersQuery = (accountId: AccountId) =>
  infiniteQueryOptions({
    queryKey: ['account-senders', accountId],
    queryFn: ({ pageParam }) =>
      call('GET /admin/senders', { query: { accountId, before: pageParam, limit: ACCOUNT_SENDERS } }),
    initialPageParam: undefined as AccountSender['_id'] | undefined,
    getNextPageParam: ({ senders, more }) => (more ? senders.at(-1)?._id : undefined),
  });

/** What emails can be sent from as they are; of a domain any address may be, which its owner has to name. */
export const verifiedAddresses = (senders: Sender[]): string[] =>
  senders.filter(({ kind, verified }) => kind === 'address' && verified).map(({ sender }) => sender);
