import type { Channel } from '../../contract/messages.ts';

/** What a recipient is known by: whoever opts out ann@example.com means Ann@example.com too. */
export const optOutKey = (channel: Channel, recipient: string): string =>
  channel === 'email' ? recipient.toLowerCase() : recipient;
