import type { PhoneDriver } from '../../fleet/phones/phone-driver.ts';
import { type SimulatorOptions, simulator } from './simulator.ts';

/** A phone at a host whose name begins so never answers, to show what becomes of its messages. */
const UNREACHABLE = /^unreachable/i;
/** A modem sends one message after another. */
const WINDOW = 4;

const isReachable = ({ simHost, whatsappHost }: { simHost: string; whatsappHost: string }): boolean =>
  !UNREACHABLE.test(simHost || whatsappHost);

/** Phones that reach nobody: recipients behave as those of the simulators do. */
export const phoneSimulator = ({ recipients }: Pick<SimulatorOptions, 'recipients'>): PhoneDriver => ({
  name: 'phone-simulator',
  simulated: true,
  carrier: ({ phone, channel }) => {
    const carrier = simulator({ channel, recipients, window: WINDOW, number: phone.phoneNumber });
    if (isReachable(phone)) return { ...carrier, provider: 'phone-simulator' };
    return {
      ...carrier,
      provider: 'phone-simulator',
      open: async ({ state }) => state({ up: false, reason: 'The phone does not answer.' }),
      isUp: () => false,
      close: async () => {},
    };
  },
  look: async (phones) => phones.filter(isReachable).map(({ id }) => ({ phoneId: id })),
});
