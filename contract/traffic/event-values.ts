/** What an event of a webhook may be. Apart from the calls: the browser loads no Zod. */

export const EVENT_TYPES = [
  'message.accepted',
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'message.inbound',
  'webhook.test',
] as const;
/** WAITING for its first try, RETRYING after a failed one, DELIVERED, or PARKED: not tried again by itself. */
export const EVENT_STATES = ['WAITING', 'RETRYING', 'DELIVERED', 'PARKED'] as const;
/** Why there was no answer, or no valid one. */
export const ANSWER_FAULTS = ['ADDRESS', 'NAME', 'TIMEOUT', 'CONNECTION', 'TLS', 'REDIRECT', 'URL'] as const;

/** How many events one call may carry. */
export const MOST_EVENTS_PER_CALL = 500;
