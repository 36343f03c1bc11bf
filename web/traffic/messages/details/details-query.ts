import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { ApiError } from '../../../ground/api/api-error.ts';
import { type Answer, call } from '../../../ground/api/call.ts';

export type Timeline = Answer<'GET /messages/:messageId/timeline'>;
export type TimelineStep = Timeline['steps'][number];

const SOON_MS = 3_000;
const LATER_MS = 20_000;
/** How long after sending a receipt is polled for often. */
const RECEIPT_MS = 120_000;
const CONVERSATION_MS = 5_000;

const lacksReceipt = ({ status, deliveredAt, sentAt }: Timeline['message']): boolean =>
  status === 'SUCCESS' &&
  deliveredAt === null &&
  sentAt !== null &&
  Date.now() - Date.parse(sentAt) < RECEIPT_MS;

/** When to poll again: soon while the message is being sent, less often while it or a webhook waits for a time. */
const againMs = ({ message, waiting, events }: Timeline): number | false => {
  if (waiting) return waiting.why === 'SCHEDULED' ? LATER_MS : SOON_MS;
  if (lacksReceipt(message) || events.some(({ state }) => state === 'WAITING')) return SOON_MS;
  return events.some(({ nextAt }) => nextAt !== null) ? LATER_MS : false;
};

/** A message that does not exist, or belongs to another account, is not shown as a failure. */
export const isMissingMessage = (error: Error): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400);

export const timelineQuery = (messageId: MessageId) =>
  queryOptions({
    queryKey: ['message', messageId, 'timeline'],
    queryFn: () => call('GET /messages/:messageId/timeline', { params: { messageId } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data ? againMs(state.data) : false),
  });

export interface ConversationParty {
  accountId: AccountId;
  channel: Channel;
  phone: string;
}

/** Both directions; the last page is the oldest. */
export const conversationQuery = ({ accountId, channel, phone }: ConversationParty) =>
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
    // A reader who has opened older pages is not disturbed by a refresh.
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? CONVERSATION_MS : false),
  });
