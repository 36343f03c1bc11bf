import { queryOptions, skipToken } from '@tanstack/react-query';
import type { AccountId } from '../../contract/accounts.ts';
import type { Body } from '../../contract/calls.ts';
import type { BatchId, Channel } from '../../contract/messages.ts';
import { ApiError } from '../api/api-error.ts';
import { type Answer, call } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';

export type Quote = Answer<'POST /:channel/quote'>;
export type Progress = Answer<'GET /batches/:batchId'>;
export type Accepted = Answer<'POST /:channel/send'>;

/** A message that was accepted here, as the table shows it. */
export interface Sent extends Accepted {
  channel: Channel;
  fromPhone: string;
  at: string;
}

/** Fewer find too much, and the server answers nothing. */
export const KEYWORD_MIN_LENGTH = 3;
const QUICK_MS = 1_000;
const SLOW_MS = 5_000;
/** Most messages have their outcome within seconds; those that wait longer are asked for less often. */
const QUICK_FOR_MS = 20_000;

/** What any message of the channel would cost; null when there is no way to send by it. */
export const termsQuery = (channel: Channel) =>
  queryOptions({
    queryKey: ['terms', channel],
    queryFn: async () => {
      try {
        return await call('POST /:channel/quote', { params: { channel }, body: { message: '.' } });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'E_NO_LANE') return null;
        throw error;
      }
    },
  });

export const quoteQuery = (channel: Channel, body: Body<'POST /:channel/quote'>) =>
  queryOptions({
    queryKey: ['quote', channel, body],
    queryFn: () => call('POST /:channel/quote', { params: { channel }, body }),
  });

export const contactsQuery = (accountId: AccountId, keyword: string) =>
  queryOptions({
    queryKey: ['contacts', accountId, keyword],
    queryFn:
      keyword.length < KEYWORD_MIN_LENGTH
        ? skipToken
        : () => call('GET /account/:accountId/contacts', { params: { accountId }, query: { keyword } }),
  });

/** What was sent from this page: as long as the session lasts, and until the page is loaded anew. */
export const sentQuery = queryOptions<Sent[]>({
  queryKey: ['sent'],
  queryFn: skipToken,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

export const isFinal = (progress: Progress | undefined): boolean => progress?.counts.PENDING === 0;

/** Asks again until every message has its outcome; what failed is refunded, so the balance is read anew. */
export const progressQuery = (batchId: BatchId, since: string) =>
  queryOptions({
    queryKey: ['batch', batchId],
    queryFn: async () => {
      const progress = await call('GET /batches/:batchId', { params: { batchId } });
      if (isFinal(progress)) refreshBalance();
      return progress;
    },
    staleTime: ({ state }) => (isFinal(state.data) ? Number.POSITIVE_INFINITY : 0),
    refetchInterval: ({ state }) => {
      if (isFinal(state.data)) return false;
      return Date.now() - Date.parse(since) < QUICK_FOR_MS ? QUICK_MS : SLOW_MS;
    },
  });

/** Everything on the page that tells the balance. */
export const refreshBalance = () => {
  void queryClient.invalidateQueries({ queryKey: ['profile'] });
  void queryClient.invalidateQueries({ queryKey: ['quote'] });
};
