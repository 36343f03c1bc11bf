import type { Channel } from '../../../contract/ground/channels.ts';
import type { Way } from './draft.ts';

const CHANNELS = ['sms', 'whatsapp', 'email'] as const satisfies Channel[];

export interface OfferedWay extends Way {
  /** Goes through a simulator. */
  test: boolean;
}

type Offers = Record<Channel, { available: boolean; simulated: boolean }>;

/** The available channels, each followed by the account's own senders. */
export const waysOf = (offers: Offers, senders: Partial<Record<Channel, string[]>>): OfferedWay[] =>
  CHANNELS.flatMap((channel) => {
    const { available, simulated: test } = offers[channel];
    if (!available) return [];
    const own = senders[channel] ?? [];
    return [{ channel, test }, ...own.map((fromPhone) => ({ channel, fromPhone, test }))];
  });
