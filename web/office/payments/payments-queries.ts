import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { PaymentId } from '../../../contract/customer/wallet.ts';
import type { PaymentFilter } from '../../../contract/office/payments.ts';
import { type Answer, call } from '../../ground/api/call.ts';

export type FoundPayment = Answer<'GET /admin/payments'>['payments'][number];
export type PaymentStory = Answer<'GET /admin/payments/:paymentId'>;

const A_PAGE = 50;

export const allPaymentsQuery = (filter: PaymentFilter) =>
  infiniteQueryOptions({
    queryKey: ['admin-payments', filter],
    queryFn: ({ pageParam }) =>
      call('GET /admin/payments', { query: { ...filter, before: pageParam, limit: A_PAGE } }),
    initialPageParam: undefined as PaymentId | undefined,
    getNextPageParam: ({ payments, more }) => (more ? payments.at(-1)?._id : undefined),
    refetchOnWindowFocus: 'always',
  });

export const storyQuery = (paymentId: PaymentId) =>
  queryOptions({
    queryKey: ['admin-payment', paymentId],
    queryFn: () => call('GET /admin/payments/:paymentId', { params: { paymentId } }),
  });
