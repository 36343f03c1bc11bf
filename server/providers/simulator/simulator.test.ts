import { expect, it, vi } from 'vitest';
import { SIMULATED_RECIPIENTS } from '../../../contract/traffic/simulator.ts';
import { carrierSuite, listen, newOutgoing } from '../../../test/suites/carrier-suite.ts';
import type { Outgoing } from '../../traffic/lanes/index.ts';
import { kindOf } from './kind-of.ts';
import { simulator } from './simulator.ts';

const PACE = 0.02;
let number = 61_110_100;
const recipient = (ending?: string) => {
  number += 1;
  return ending ? `+8526${String(number).slice(1, 4)}${ending}` : `+852${number}`;
};

carrierSuite('the simulator', async () => {
  const made = simulator({ channel: 'sms', recipients: SIMULATED_RECIPIENTS, pace: PACE });
  const taken = new Map<string, number>();
  const keyOf = ({ recipient, text }: Outgoing) => `${recipient} ${text}`;
  return {
    carrier: {
      ...made,
      send: async (message) => {
        const outcome = await made.send(message);
        if (outcome.outcome === 'accepted') taken.set(keyOf(message), (taken.get(keyOf(message)) ?? 0) + 1);
        return outcome;
      },
    },
    recipient: () => recipient(),
    sender: 'Posthorn',
    taken: (message) => taken.get(keyOf(message)) ?? 0,
    refuses: () => recipient('0001'),
    refusesForNow: () => recipient('0002'),
    staysSilent: () => recipient('0003'),
    close: async () => {},
  };
}, ['report', 'reportsAgain', 'write', 'cut']);

const open = async () => {
  const carrier = simulator({ channel: 'sms', recipients: SIMULATED_RECIPIENTS, pace: PACE });
  const heard = listen();
  await carrier.open(heard);
  return { carrier, heard };
};

it.each([
  ['0004', ['failed']],
  ['0007', ['delivered', 'read']],
  ['0009', ['delivered']],
  ['1234', ['delivered']],
])('a number that ends in %s is reported as %s', async (ending, states) => {
  const { carrier, heard } = await open();
  await carrier.send(newOutgoing({ recipient: recipient(ending) }));
  await vi.waitFor(() => expect(heard.receipts.map(({ state }) => state)).toEqual(states));
  await carrier.close(1_000);
});

it('closing tells at once what would have come later', async () => {
  const carrier = simulator({ channel: 'sms', recipients: SIMULATED_RECIPIENTS });
  const heard = listen();
  await carrier.open(heard);
  await carrier.send(newOutgoing({ recipient: recipient('0007') }));
  await carrier.close(1_000);
  expect(heard.receipts.map(({ state }) => state)).toEqual(['delivered', 'read']);
});

it('a recipient that answers does so from its own number', async () => {
  const { carrier, heard } = await open();
  const to = recipient('0008');
  await carrier.send(newOutgoing({ recipient: to, from: 'Posthorn' }));
  await vi.waitFor(() => expect(heard.inbounds).toMatchObject([{ from: to, to: 'Posthorn' }]));
  await carrier.close(1_000);
});

it('a recipient that is busy is served at the third try', async () => {
  const { carrier } = await open();
  const message = newOutgoing({ recipient: recipient('0002') });
  const outcomes = [];
  for (let i = 0; i < 3; i += 1) outcomes.push((await carrier.send(message)).outcome);
  expect(outcomes).toEqual(['refused', 'refused', 'accepted']);
  await carrier.close(1_000);
});

it('email addresses are known by their local part or their tag', () => {
  expect(kindOf(SIMULATED_RECIPIENTS, 'failed@example.com')).toBe('failed');
  expect(kindOf(SIMULATED_RECIPIENTS, 'somebody+Early-Receipt@example.com')).toBe('early-receipt');
  expect(kindOf(SIMULATED_RECIPIENTS, 'somebody@example.com')).toBe('delivered');
});
