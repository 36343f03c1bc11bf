import { queryOptions, skipToken } from '@tanstack/react-query';
import type { Body } from '../../../contract/calls.ts';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import { type Answer, call } from '../../ground/api/call.ts';
import { FOREVER, watchQuery } from '../../ground/api/watch-query.ts';

export type Quote = Answer<'POST /:channel/quote'>;
export type Message = Answer<'GET /messages/:messageId'>;
export type Accepted = Answer<'POST /:channel/send'>;

/** A message that was accepted here, as the table shows it. */
export interface SentMessage extends Accepted {
  channel: Channel;
  fromPhone: string;
  at: string;
}

/** The server finds nothing for a shorter keyword, because too many contacts would match. */
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

/** The messages that were sent from this page. They are kept until the session ends or the page is reloaded. */
export const sentQuery = queryOptions<SentMessage[]>({
  queryKey: ['sent'],
  queryFn: skipToken,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** A carrier may still report a failure of a message that it accepted: polling ends after this many unchanged answers. */
const LAST_LOOKS = 8;

const pollForMs = ({ status, deliveredAt }: Message): number => {
  if (status === 'PENDING') return FOREVER;
  return status === 'SUCCESS' && deliveredAt === null ? LAST_LOOKS : 0;
};

export const sentMessageQuery = (messageId: MessageId) =>
  watchQuery({
    queryKey: ['message', messageId],
    read: () => call('GET /messages/:messageId', { params: { messageId } }),
    pollForMs,
  });
