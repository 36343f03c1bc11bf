import type { Channel } from '../../contract/messages.ts';

/** Written out here, because importing the contract's list would load Zod. */
export const CHANNELS: Channel[] = ['sms', 'whatsapp', 'email'];
