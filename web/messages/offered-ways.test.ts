import { expect, test } from 'vitest';
import { waysOf } from './offered-ways.ts';

test('a channel without a way out is not offered, and dedicated numbers follow SMS', () => {
  const phones = ['+85261110000'];
  expect(waysOf([{ test: false }, null, { test: true }], phones)).toEqual([
    { channel: 'sms', test: false },
    { channel: 'sms', fromPhone: '+85261110000', test: false },
    { channel: 'email', test: true },
  ]);
  expect(waysOf([null, null, null], phones)).toEqual([]);
});

test('WhatsApp is offered where a simulator takes it, since there is no other device', () => {
  expect(waysOf([null, { test: true }, null], [])).toEqual([{ channel: 'whatsapp', test: true }]);
  expect(waysOf([null, { test: false }, null], [])).toEqual([]);
});
