import { EVENT_STATES, EVENT_TYPES } from '../../../contract/traffic/event-values.ts';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import type { EventFilter, EventState, EventType } from '../../../contract/traffic/webhooks.ts';
import { isDay } from '../../ground/i18n/moment-text.ts';

export const isMessageId = (value: unknown): value is MessageId =>
  typeof value === 'string' &&
  /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i.test(value);

/** Reads the filter from the page's address; invalid values are ignored. */
export const readEventFilter = (search: Record<string, unknown>): EventFilter => {
  const { type, state, messageId, dateFrom, dateTo } = search;
  return {
    ...(EVENT_TYPES.includes(type as EventType) && { type: type as EventType }),
    ...(EVENT_STATES.includes(state as EventState) && { state: state as EventState }),
    ...(isMessageId(messageId) && { messageId }),
    ...(isDay(dateFrom) && { dateFrom }),
    ...(isDay(dateTo) && { dateTo }),
  };
};
