import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { EntryId, LedgerFilter, PaymentId } from '../../../contract/customer/wallet.ts';
import { type Answer, call } from '../../ground/api/call.ts';
import { followMs } from '../../ground/api/follow.ts';

export type Cards = Answer<'GET /cards'>;
export type Card = Cards['cards'][number];
export type Payment = Answer<'GET /account/:accountId/payments'>['payments'][number];
export type LedgerEntry = Answer<'GET /account/:accountId/ledger'>['entries'][number];

const PAYMENTS_A_PAGE = 20;
const ENTRIES_A_PAGE = 50;

export const cardsQuery = queryOptions({ queryKey: ['cards'], queryFn: () => call('GET /cards') });

export const paymentsQuery = (accountId: AccountId) =>
  infiniteQueryOptions({
    queryKey: ['payments', accountId],
    queryFn: ({ pageParam }) =>
      call('GET /account/:accountId/payments', {
        params: { accountId },
        query: { before: pageParam, limit: PAYMENTS_A_PAGE },
      }),
    initialPageParam: undefined as PaymentId | undefined,
    getNextPageParam: ({ payments, more }) => (more ? payments.at(-1)?._id : undefined),
    refetchInterval: ({ state }) => followMs(state.data?.pages.flatMap(({ payments }) => payments) ?? []),
    refetchOnWindowFocus: 'always',
  });

export const ledgerQuery = (accountId: AccountId, filter: LedgerFilter) =>
  infiniteQueryOptions({
    queryKey: ['ledger', accountId, filter],
    queryFn: ({ pageParam }) =>
      call('GET /account/:accountId/ledger', {
        params: { accountId },
        query: { ...filter, before: pageParam, limit: ENTRIES_A_PAGE },
      }),
    initialPageParam: undefined as EntryId | undefined,
    getNextPageParam: ({ entries, more }) => (more ? entries.at(-1)?._id : undefined),
    refetchOnWindowFocus: 'always',
  });
