import { expect, it } from 'vitest';
import { inOrder } from './in-order.ts';

const lane = (name: string, provider = name) => ({
  name,
  provider,
  channel: 'sms' as const,
  simulated: false,
  preference: 100,
});
const LANES = [lane('smpp-a@x', 'smpp'), lane('smpp-b@x', 'smpp'), lane('twilio'), lane('http-acme', 'acme')];
const order = (...names: string[]) => inOrder(LANES, names).map(({ name, preference }) => [preference, name]);

it('without a list lanes are preferred as the settings name them', () => {
  expect(order()).toEqual([
    [100, 'smpp-a@x'],
    [101, 'smpp-b@x'],
    [102, 'twilio'],
    [103, 'http-acme'],
  ]);
});

it('those that are named come first, a provider with all of its lanes, the others after them', () => {
  expect(order('http-acme', 'smpp').map(([, name]) => name)).toEqual([
    'http-acme',
    'smpp-a@x',
    'smpp-b@x',
    'twilio',
  ]);
  expect(order('smpp-b@x', 'acme').map(([, name]) => name)).toEqual([
    'smpp-b@x',
    'http-acme',
    'smpp-a@x',
    'twilio',
  ]);
});

it('a name that is no lane is told, with those there are', () => {
  expect(() => order('twillio')).toThrow(
    'there is no lane twillio; there are smpp-a@x, smpp-b@x, twilio, http-acme',
  );
  expect(() => inOrder([], ['x'])).toThrow('there are none');
});
