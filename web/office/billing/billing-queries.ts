import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { type Answer, call } from '../../ground/api/call.ts';

type Bill = Answer<'GET /account/:accountId/billing'>;
export type BillItem = Bill['usageInfo']['sms']['items'][number];
export type Day = Answer<'GET /account/:accountId/billing/days'>['days'][number];

/** In the order of the page. */
export const BILLED_CHANNELS = ['sms', 'email', 'whatsapp'] as const;
export type BilledChannel = (typeof BILLED_CHANNELS)[number];

export const billingDatesQuery = (accountId: AccountId | undefined) =>
  queryOptions({
    queryKey: ['billingDates', accountId],
    queryFn: accountId
      ? () => call('GET /account/:accountId/billingDates', { params: { accountId } })
      : skipToken,
    // Messages may have been sent since the last read.
    refetchOnMount: 'always',
  });

interface Month {
  accountId: AccountId | undefined;
  /** The current month if not given. */
  date: string | undefined;
  enabled: boolean;
}

export const billQuery = ({ accountId, date, enabled }: Month) =>
  queryOptions({
    queryKey: ['billing', accountId, date],
    queryFn: accountId
      ? () => call('GET /account/:accountId/billing', { params: { accountId }, query: { date } })
      : skipToken,
    enabled,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

export const billDaysQuery = ({ accountId, date, enabled }: Month) =>
  queryOptions({
    queryKey: ['billingDays', accountId, date],
    queryFn: accountId
      ? () => call('GET /account/:accountId/billing/days', { params: { accountId }, query: { date } })
      : skipToken,
    enabled,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

export const glanceQuery = (accountId: AccountId) =>
  queryOptions({
    queryKey: ['glance', accountId],
    queryFn: () => call('GET /account/:accountId/glance', { params: { accountId } }),
    refetchOnMount: 'always',
  });
