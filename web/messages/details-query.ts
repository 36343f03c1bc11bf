import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AccountId } from '../../contract/accounts.ts';
import type { Channel, MessageId } from '../../contract/messages.ts';
import { ApiError } from '../api/api-error.ts';
import { type Answer, call } from '../api/call.ts';

export type Timeline = Answer<'GET /messages/:messageId/timeline'>;
export type TimelineStep = Timeline['steps'][number];

/** While it is on its way, and for a while after it was sent: receipts come late. */
const SOON_MS = 3_000;
const RECEIPT_MS = 120_000;
const CONVERSATION_MS = 5_000;

const isMoving = ({ message, events }: Timeline): boolean =>
  message.status === 'PENDING' ||
  events.some(({ nextAt }) => nextAt !== null) ||
  (message.status === 'SUCCESS' &&
    message.deliveredAt === null &&
    message.sentAt !== null &&
    Date.now() - Date.parse(message.sentAt) < RECEIPT_MS);

/** One that is not there, or not for this reader, is no fault. */
export const isMissing = (error: Error): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400);

export const timelineQuery = (messageId: MessageId) =>
  queryOptions({
    queryKey: ['message', messageId, 'timeline'],
    queryFn: () => call('GET /messages/:messageId/timeline', { params: { messageId } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? SOON_MS : false),
  });

export interface Party {
  accountId: AccountId;
  channel: Channel;
  phone: string;
}

/** Both directions; the last page is the oldest. */
export const conversationQuery = ({ accountId, channel, phone }: Party) =>
  infiniteQueryOptions({
    queryKey: ['conversation', accountId, channel, phone],
    queryFn: ({ pageParam }) =>
      call('GET /account/:accountId/conversation', {
        params: { accountId },
        query: { phone, channel, before: pageParam, limit: 20 },
      }),
    initialPageParam: undefined as MessageId | undefined,
    getNextPageParam: ({ messages, more }) => (more ? messages.at(-1)?._id : undefined),
    staleTime: 0,
    // Whoever has leafed back reads in peace.
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? CONVERSATION_MS : false),
  });
