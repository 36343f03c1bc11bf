import { expect, test } from 'vitest';
import { relayOptions } from './relay-options.ts';

test.each([
  [
    'smtp://mail.example',
    { host: 'mail.example', port: 587, secure: false, user: undefined, starttls: 'offered' },
  ],
  ['smtps://mail.example', { port: 465, secure: true }],
  ['smtp://user:p%40ss@mail.example:25', { port: 25, user: 'user', password: 'p@ss', starttls: 'required' }],
  ['smtp://user:pass@127.0.0.1', { starttls: 'offered' }],
  ['smtp://user:pass@mail.example?starttls=never', { starttls: 'never' }],
  ['smtp://[::1]:2525?verify=no&maxMessages=7', { host: '::1', verify: false, maxMessages: 7 }],
])('%s is read', (setting, options) => {
  expect(relayOptions(setting)).toMatchObject(options);
});

test.each([
  ['nonsense', /not an address/],
  ['http://hunter2@mail.example', /begin with smtp/],
  ['smtp://user:hunter2@mail.example?maxMessages=0', /maxMessages must be/],
  ['smtp://user:hunter2@mail.example?starttls=perhaps', /starttls must be one of/],
  ['smtp://user:hunter2@mail.example?pool=true', /pool is not known/],
  ['smtp://mail.example?name=a%0d%0aRSET', /name must be/],
])('%s is refused without telling the password', (setting, fault) => {
  expect(() => relayOptions(setting)).toThrow(fault);
  expect(() => relayOptions(setting)).not.toThrow(/hunter2/);
});

test("the mailer's setting may hold what only the mailer knows", () => {
  const setting = 'smtp://mail.example?pool=true&tls.rejectUnauthorized=false';
  expect(relayOptions(setting, { lenient: true, connections: 9 })).toMatchObject({
    verify: false,
    connections: 9,
  });
});
