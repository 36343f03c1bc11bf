import type { Channel } from '../../../contract/ground/channels.ts';

/** The form in which recipients are compared: opting out ann@example.com means Ann@example.com too. */
export const optOutKey = (channel: Channel, recipient: string): string =>
  channel === 'email' ? recipient.toLowerCase() : recipient;
