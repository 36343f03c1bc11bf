/** What a message may be. Apart from the calls: the browser loads no Zod. */

export const MESSAGE_STATUSES = [
  'PENDING',
  'SUCCESS',
  'FAILED',
  'FAILED_WITH_EXCEPTION',
  'CANCELLED',
] as const;
export const MESSAGE_TYPES = ['incoming', 'outgoing'] as const;
/** How a message is sent by a SIM. */
export const SIM_METHODS = ['sim-modem', 'sim-web', 'gammu'] as const;
/** The keys that the list may be sorted by; the others are named as their columns. */
export const SORTABLE = [
  'createdAt',
  'updatedAt',
  '_id',
  'status',
  'channel',
  'type',
  'phoneNumber',
  'price',
  'test',
] as const;
