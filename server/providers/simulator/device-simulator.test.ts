import { SIMULATED_RECIPIENTS } from '../../../contract/traffic/simulator.ts';
import { deviceSuite } from '../../../test/suites/device-suite.ts';
import { deviceSimulator } from './device-simulator.ts';

let number = 61_112_000;
const recipient = (): string => {
  number += 1;
  return `+852${number}`;
};

deviceSuite('the device simulator', async () => ({
  driver: deviceSimulator({ recipients: SIMULATED_RECIPIENTS, pace: 0.02 }),
  neverPaired: () => ({ phoneName: 'expires' }),
  drops: () => ({ phoneName: 'drops' }),
  ends: () => ({ device: { phoneName: 'banned' }, why: 'BANNED' }),
  answers: () => '+85261110008',
  recipient,
  close: async () => {},
}));
