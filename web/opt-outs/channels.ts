import type { Channel } from '../../contract/messages.ts';

/** Written out here: the contract's own list would bring its schemas along. */
export const CHANNELS: Channel[] = ['sms', 'whatsapp', 'email'];
