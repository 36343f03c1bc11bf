import type { MessageId } from '../../../contract/traffic/messages.ts';
import type { EventFilter, EventState, EventType } from '../../../contract/traffic/webhooks.ts';
import { isDay } from '../../ground/i18n/moment-text.ts';

/** Written out here, because importing the contract's tables would load Zod. */
const TYPES: Record<EventType, true> = {
  'message.accepted': true,
  'message.sent': true,
  'message.delivered': true,
  'message.read': true,
  'message.failed': true,
  'message.inbound': true,
  'webhook.test': true,
};
export const EVENT_TYPES = Object.keys(TYPES) as EventType[];
const STATES: Record<EventState, true> = { WAITING: true, RETRYING: true, DELIVERED: true, PARKED: true };
export const EVENT_STATES = Object.keys(STATES) as EventState[];

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
