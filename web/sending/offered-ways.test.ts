import { expect, test } from 'vitest';
import { waysOf } from './offered-ways.ts';

test('a channel without a lane is not offered, and dedicated numbers follow SMS', () => {
  const phones = ['+85261110000'];
  const none = { available: false, simulated: false };
  const offers = { sms: { available: true, simulated: false }, whatsapp: none, email: none };
  expect(waysOf({ ...offers, email: { available: true, simulated: true } }, phones)).toEqual([
    { channel: 'sms', test: false },
    { channel: 'sms', fromPhone: '+85261110000', test: false },
    { channel: 'email', test: true },
  ]);
  expect(waysOf({ ...offers, sms: none }, phones)).toEqual([]);
});
