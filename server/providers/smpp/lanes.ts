import { readSetting } from '../../ground/settings/index.ts';
import type { ProviderLane } from '../../traffic/lanes/provider-lane.ts';
import type { SmppSection } from './settings.ts';
import { smppCarrier } from './smpp-carrier.ts';
import { smppOptions } from './smpp-options.ts';

/** One lane a message centre. */
export const smppLanes = ({ SMPP_URLS }: SmppSection): ProviderLane[] =>
  SMPP_URLS.map((setting) => {
    const options = readSetting('SMPP_URLS', () => smppOptions(setting));
    return {
      name: `smpp-${options.systemId}@${options.host}:${options.port}`,
      channel: 'sms',
      provider: 'smpp',
      simulated: false,
      carrier: () => smppCarrier(options),
    };
  });
