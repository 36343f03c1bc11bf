import { expect, test } from 'vitest';
import { mailboxKey, readSenderMailbox } from './read-mailbox.ts';
import { readGivenSender, readOwnSender } from './read-sender.ts';

test.each([
  ['news@example.com', { name: '', address: 'news@example.com', domain: 'example.com' }],
  [' Shop <News@EXAMPLE.com> ', { name: 'Shop', address: 'News@example.com', domain: 'example.com' }],
  ['"Shop, Ltd" <news@example.com>', { name: 'Shop, Ltd', address: 'news@example.com' }],
  ['news@bücher.example', { address: 'news@xn--bcher-kva.example', domain: 'xn--bcher-kva.example' }],
  ['Shop', { name: 'Shop', address: undefined }],
])('%s is read', (typed, read) => {
  expect(readSenderMailbox(typed)).toMatchObject(read);
});

test.each([
  '',
  '"" ',
  '<>',
  'a@b',
  'a@example.com.',
  '@example.com',
  'a b@example.com',
  'é@example.com',
  '"a"@example.com',
  'a@example.com <b@example.com>',
  'bank＠hsbc.com <b@example.com>',
  'a <b@example.com> <c@example.com>',
  'Shop\r\nBcc: x <a@example.com>',
  'a@[127.0.0.1]',
  'news@ｅｘａｍｐｌｅ.com',
  'a@1.2.3.4',
  `${'a'.repeat(65)}@example.com`,
])('%j is no sender of emails', (typed) => {
  expect(readSenderMailbox(typed)).toBeUndefined();
});

test('neither case nor a tag makes another mailbox', () => {
  expect(mailboxKey('Ann+1@Example.com')).toBe(mailboxKey('ann@example.com'));
  expect(mailboxKey('ann@example.com')).not.toBe(mailboxKey('anna@example.com'));
});

test.each([
  ['sms', '+852 6111-0000', { kind: 'number', sender: '+85261110000' }],
  ['sms', '0085261110000', { kind: 'number', sender: '+85261110000' }],
  ['sms', '85261110000', { kind: 'number', sender: '+85261110000' }],
  ['sms', '12345', { kind: 'number', sender: '12345' }],
  ['whatsapp', '+85261110000', { kind: 'number', sender: '+85261110000' }],
  ['sms', ' Shop ', { kind: 'name', sender: 'Shop' }],
  ['email', 'Example.COM', { kind: 'domain', sender: 'example.com' }],
  ['email', 'Ann@Example.COM', { kind: 'address', sender: 'Ann@example.com' }],
  ['email', 'Shop', { kind: 'name', sender: 'Shop' }],
] as const)('an admin gives for %s: %s', (channel, typed, given) => {
  expect(readGivenSender(channel, typed)).toEqual(given);
});

test.each([
  ['sms', ''],
  ['sms', 'ＨＳＢＣ'],
  ['sms', 'A name that is far too long'],
  ['sms', '+'],
  ['email', ''],
  ['email', 'a@b@example.com'],
] as const)('nobody can be given for %s: %j', (channel, typed) => {
  expect(() => readGivenSender(channel, typed)).toThrow('E_SENDER_INVALID');
});

test('an account adds addresses and domains, and nothing else', () => {
  expect(readOwnSender('@Example.com')).toEqual({ kind: 'domain', sender: 'example.com' });
  for (const typed of ['Shop', '+85261110000', 'Shop <a@example.com>', 'https://example.com/', 'localhost'])
    expect(() => readOwnSender(typed)).toThrow('E_SENDER_INVALID');
});
