import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { EventFilter, EventId } from '../../../contract/traffic/webhooks.ts';
import { type Answer, call } from '../../ground/api/call.ts';

export type Endpoint = Answer<'GET /account/:accountId/webhook'>;
export type WebhookEvent = Answer<'GET /account/:accountId/webhook/events'>['events'][number];

const EVENTS_A_PAGE = 50;
/** How often the page polls while an event is being delivered. */
const SOON_MS = 3_000;

export const endpointQuery = (accountId: AccountId) =>
  queryOptions({
    queryKey: ['webhook', accountId],
    queryFn: () => call('GET /account/:accountId/webhook', { params: { accountId } }),
  });

export const eventsQuery = (accountId: AccountId, filter: EventFilter) =>
  infiniteQueryOptions({
    queryKey: ['webhook-events', accountId, filter],
    queryFn: ({ pageParam }) =>
      call('GET /account/:accountId/webhook/events', {
        params: { accountId },
        query: { ...filter, before: pageParam, limit: EVENTS_A_PAGE },
      }),
    initialPageParam: undefined as EventId | undefined,
    getNextPageParam: ({ events, more }) => (more ? events.at(-1)?._id : undefined),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 && data.pages[0]?.events.some(({ nextAt }) => nextAt) ? SOON_MS : false,
  });

export const eventQuery = (accountId: AccountId, eventId: EventId) =>
  queryOptions({
    queryKey: ['webhook-event', accountId, eventId],
    queryFn: () =>
      call('GET /account/:accountId/webhook/events/:eventId', { params: { accountId, eventId } }),
  });
