import type { Reply } from '../../contract/calls.ts';
import { CHANNELS } from '../../contract/messages.ts';
import { DomainError } from '../domain-error.ts';
import type { LaneInUse } from '../lanes/index.ts';
import { pickLane } from '../lanes/index.ts';
import type { SendingDeps } from './sending-deps.ts';

type Channels = Reply<'GET /startup'>['channels'];
type Offer = Channels[keyof Channels];

const offerOf = (lanes: LaneInUse[], channel: keyof Channels): Offer => {
  try {
    return { available: true, simulated: pickLane(lanes, { channel, test: false }).simulated };
  } catch (error) {
    if (error instanceof DomainError) return { available: false, simulated: false };
    throw error;
  }
};

/** The channels by which a message would be accepted now, by the same rule that picks its lane. */
export const readChannels = async ({ lanes }: Pick<SendingDeps, 'lanes'>): Promise<Channels> => {
  const known = await lanes();
  return Object.fromEntries(CHANNELS.map((channel) => [channel, offerOf(known, channel)])) as Channels;
};
