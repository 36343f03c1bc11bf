import type { Channel } from '../../../contract/ground/channels.ts';

/** Written out here, because importing the contract's list would load Zod. */
export const CHANNELS: Channel[] = ['sms', 'whatsapp', 'email'];
