import { DomainError } from '../../ground/domain-error.ts';
import type { RunningDevice } from './own-devices.ts';
import type { SendingDeps } from './sending-deps.ts';
import { operatorsSenders, type Terms } from './terms.ts';

/**
 * What a message that names a device is from. The device alone says whether it is simulated, but a call is paid by one
 * entry: it is simulated as a whole, or real.
 */
const fromDevice = ({ free, offer, test }: Terms, device: RunningDevice): string => {
  const { deviceId, phoneNumber, simulated } = device;
  // The test secret goes to simulators only.
  if (free && !simulated) return phoneNumber;
  if (simulated === test) return deviceId;
  throw offer.simulated
    ? new DomainError('E_DEVICE_MIXED')
    : new DomainError('E_DEVICE_SIMULATED', { device: deviceId });
};

/**
 * Looks up whether these are senders or devices of the account, before messages that name them are prepared. Where
 * nothing real is configured a real device makes the call real; what else the call contains is refused.
 */
export const allowSenders = async (
  { senders, devices }: Pick<SendingDeps, 'senders' | 'devices'>,
  terms: Terms,
  typed: readonly (string | null | undefined)[],
): Promise<void> => {
  const { channel, free, offer } = terms;
  const isJudged = offer.available && !offer.simulated;
  const others = operatorsSenders(terms, isJudged ? await senders({ ...terms, typed }) : undefined);
  if (channel !== 'whatsapp') {
    terms.senderOf = others;
    return;
  }
  const { find, running } = await devices({ ...terms, typed });
  if (!free && running.some(({ simulated }) => !simulated)) terms.test = false;
  terms.senderOf = (one) => {
    const device = find(one);
    if (device) return fromDevice(terms, device);
    if (terms.test !== offer.simulated) throw new DomainError('E_DEVICE_MIXED');
    return others(one);
  };
};
