import type { Channel } from '../../contract/messages.ts';
import type { Way } from './draft.ts';
import type { Quote } from './message-queries.ts';

export const CHANNELS = ['sms', 'whatsapp', 'email'] as const satisfies Channel[];

export interface OfferedWay extends Way {
  /** Goes through a simulator. */
  test: boolean;
}

/**
 * The channels that can be sent by, by the terms of each in the order of CHANNELS, and after SMS its dedicated
 * numbers. WhatsApp needs a device, and the only one so far is the simulator's.
 */
export const waysOf = (terms: (Pick<Quote, 'test'> | null)[], dedicatedPhones: string[]): OfferedWay[] =>
  CHANNELS.flatMap((channel, at) => {
    const offer = terms[at];
    if (!offer || (channel === 'whatsapp' && !offer.test)) return [];
    const numbers = channel === 'sms' ? dedicatedPhones : [];
    const { test } = offer;
    return [{ channel, test }, ...numbers.map((fromPhone) => ({ channel, fromPhone, test }))];
  });
