import type { Channel } from '../../contract/messages.ts';
import type { Way } from './draft.ts';

const CHANNELS = ['sms', 'whatsapp', 'email'] as const satisfies Channel[];

export interface OfferedWay extends Way {
  /** Goes through a simulator. */
  test: boolean;
}

type Offers = Record<Channel, { available: boolean; simulated: boolean }>;

/** The available channels, with the dedicated numbers after SMS. */
export const waysOf = (offers: Offers, dedicatedPhones: string[]): OfferedWay[] =>
  CHANNELS.flatMap((channel) => {
    const { available, simulated: test } = offers[channel];
    if (!available) return [];
    const numbers = channel === 'sms' ? dedicatedPhones : [];
    return [{ channel, test }, ...numbers.map((fromPhone) => ({ channel, fromPhone, test }))];
  });
