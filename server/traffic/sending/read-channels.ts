import type { Reply } from '../../../contract/calls.ts';
import { CHANNELS } from '../../../contract/ground/channels.ts';
import type { SendingDeps } from './sending-deps.ts';

type Channels = Reply<'GET /startup'>['channels'];

/** The channels by which a message would be accepted now, by the same rules that choose its lane. */
export const readChannels = async ({ routing }: Pick<SendingDeps, 'routing'>): Promise<Channels> => {
  const chooser = await routing();
  return Object.fromEntries(
    CHANNELS.map((channel) => {
      const { available, simulated } = chooser.offer({ channel, test: false });
      return [channel, { available, simulated: available && simulated }];
    }),
  ) as Channels;
};
