import type { Channel } from '../../../contract/ground/channels.ts';
import type { ProviderLane } from '../../traffic/lanes/provider-lane.ts';
import { type SimulatorOptions, simulator } from './simulator.ts';

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
    carrier: () => simulator({ channel, recipients }),
  }));
