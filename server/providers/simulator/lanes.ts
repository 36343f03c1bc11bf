import type { Channel } from '../../../contract/messages.ts';
import type { ProviderLane } from '../../lanes/provider-lane.ts';
import { type SimulatorOptions, simulator } from './simulator.ts';

/** As many as go to a mail server at a time: an email may have a megabyte, and all that are sent are in memory. */
const EMAIL_WINDOW = 20;

/** One lane a channel; needs no setting. */
export const simulatorLanes = ({
  channels,
  recipients,
}: Pick<SimulatorOptions, 'recipients'> & { channels: readonly Channel[] }): ProviderLane[] =>
  channels.map((channel) => ({
    name: `simulator-${channel}`,
    channel,
    provider: 'simulator',
    simulated: true,
    carrier: () => simulator({ channel, recipients, ...(channel === 'email' && { window: EMAIL_WINDOW }) }),
  }));
