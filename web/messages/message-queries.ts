import { queryOptions, skipToken } from '@tanstack/react-query';
import type { AccountId } from '../../contract/accounts.ts';
import type { Body } from '../../contract/calls.ts';
import type { BatchId, Channel, MessageId } from '../../contract/messages.ts';
import type { UploadId } from '../../contract/uploads.ts';
import { type Answer, call } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { type Watched, watch } from './watch.ts';

export type Quote = Answer<'POST /:channel/quote'>;
export type Progress = Answer<'GET /batches/:batchId'>;
export type Message = Answer<'GET /messages/:messageId'>;
export type Accepted = Answer<'POST /:channel/send'>;

/** A message that was accepted here, as the table shows it. */
export interface Sent extends Accepted {
  channel: Channel;
  fromPhone: string;
  at: string;
}

/** Fewer find too much, and the server answers nothing. */
export const KEYWORD_MIN_LENGTH = 3;

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

/** What was found in a file; the balance it tells may change at any time. */
export const uploadQuery = (uploadId: UploadId) =>
  queryOptions({
    queryKey: ['upload', uploadId],
    queryFn: () => call('GET /uploads/:uploadId', { params: { uploadId } }),
    staleTime: 0,
  });

const FOREVER = Number.POSITIVE_INFINITY;
/** A failure may still be reported of what a carrier accepted: so many unchanged answers are waited for. */
const LAST_LOOKS = { batch: 4, message: 8 };
/** After an answer that did not come. */
const RETRY_MS = 5_000;

/** Asks again until no more is expected; what failed is refunded, so the balance is read anew. */
const watchQuery = <T>(queryKey: [string, string], read: () => Promise<T>, looksAt: (value: T) => number) =>
  queryOptions<Watched<T>>({
    queryKey,
    queryFn: async () => {
      const begun = performance.now();
      const value = await read();
      const before = queryClient.getQueryData<Watched<T>>(queryKey);
      const looks = looksAt(value);
      const watched = watch(before, value, { looks, tookMs: performance.now() - begun });
      if (looks !== FOREVER && watched.quiet === 0) refreshBalance();
      return watched;
    },
    staleTime: ({ state }) => (state.data?.waitMs === false ? FOREVER : 0),
    refetchInterval: ({ state }) => {
      if (state.data === undefined) return false;
      return state.error ? RETRY_MS : state.data.waitMs;
    },
  });

export const isFinal = (progress: Progress | undefined): boolean => progress?.counts.PENDING === 0;

export const batchQuery = (batchId: BatchId) =>
  watchQuery(
    ['batch', batchId],
    () => call('GET /batches/:batchId', { params: { batchId } }),
    (progress) => (isFinal(progress) ? LAST_LOOKS.batch : FOREVER),
  );

const messageLooks = ({ status, deliveredAt }: Message): number => {
  if (status === 'PENDING') return FOREVER;
  return status === 'SUCCESS' && deliveredAt === null ? LAST_LOOKS.message : 0;
};

export const messageQuery = (messageId: MessageId) =>
  watchQuery(
    ['message', messageId],
    () => call('GET /messages/:messageId', { params: { messageId } }),
    messageLooks,
  );

/** Everything on the page that tells the balance. */
export const refreshBalance = () => {
  void queryClient.invalidateQueries({ queryKey: ['profile'] });
  void queryClient.invalidateQueries({ queryKey: ['quote'] });
};
