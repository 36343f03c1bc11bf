import { infiniteQueryOptions } from '@tanstack/react-query';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { ContactPlace } from '../../../contract/customer/contacts.ts';
import { type Answer, call } from '../../ground/api/call.ts';

export type Contact = Answer<'GET /account/:accountId/contacts/page'>['contacts'][number];

export const contactBookQuery = (accountId: AccountId, keyword: string) =>
  infiniteQueryOptions({
    queryKey: ['contact-book', accountId, keyword],
    queryFn: ({ pageParam }) =>
      call('GET /account/:accountId/contacts/page', {
        params: { accountId },
        query: { keyword: keyword || undefined, before: pageParam, limit: 50 },
      }),
    initialPageParam: undefined as ContactPlace | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
