import type { SenderOf } from '../../customer/senders/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { RunningDevice } from './own-devices.ts';
import type { SendingDeps } from './sending-deps.ts';
import { operatorsSenders, type Terms } from './terms.ts';

/**
 * What a message that names a device is from. The device alone says whether it is simulated, but a call is paid by one
 * entry: it is simulated as a whole, or real.
 */
const fromDevice = (
  { free, offer, test }: Pick<Terms, 'free' | 'offer' | 'test'>,
  device: RunningDevice,
): string => {
  const { deviceId, phoneNumber, simulated } = device;
  // The test secret goes to simulators only.
  if (free && !simulated) return phoneNumber;
  if (simulated === test) return deviceId;
  throw offer.simulated
    ? new DomainError('E_DEVICE_MIXED')
    : new DomainError('E_DEVICE_SIMULATED', { device: deviceId });
};

/**
 * The terms of a call that names these senders or devices, which refuse what is not the account's. Where nothing real is
 * configured a real device makes the call real; what else the call contains is refused. `decided` for the later chunks of
 * what has begun as a test, or as real: then it remains so.
 */
export const allowSenders = async (
  { senders, devices }: Pick<SendingDeps, 'senders' | 'devices'>,
  terms: Terms,
  typed: readonly (string | null | undefined)[],
  { decided = false } = {},
): Promise<Terms> => {
  const { channel, free, offer } = terms;
  const isJudged = offer.available && !offer.simulated;
  const others = operatorsSenders(terms, isJudged ? await senders({ ...terms, typed }) : undefined);
  if (channel !== 'whatsapp') return { ...terms, senderOf: others };
  const { find, running } = await devices({ ...terms, typed });
  const becomesReal = !decided && !free && running.some(({ simulated }) => !simulated);
  const test = terms.test && !becomesReal;
  const senderOf: SenderOf = (one) => {
    const device = find(one);
    if (device) return fromDevice({ free, offer, test }, device);
    if (test !== offer.simulated) throw new DomainError('E_DEVICE_MIXED');
    return others(one);
  };
  return { ...terms, test, senderOf };
};
