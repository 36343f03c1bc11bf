import { expect, test } from 'vitest';
import { waysOf } from './offered-ways.ts';

test('a channel without a lane is not offered, and the account’s own senders follow their channel', () => {
  const senders = { sms: ['+85261110000'], email: ['news@example.com'] };
  const none = { available: false, simulated: false };
  const offers = { sms: { available: true, simulated: false }, whatsapp: none, email: none };
  expect(waysOf({ ...offers, email: { available: true, simulated: true } }, senders)).toEqual([
    { channel: 'sms', test: false },
    { channel: 'sms', fromPhone: '+85261110000', test: false },
    { channel: 'email', test: true },
    { channel: 'email', fromPhone: 'news@example.com', test: true },
  ]);
  expect(waysOf({ ...offers, sms: none }, senders)).toEqual([]);
});
