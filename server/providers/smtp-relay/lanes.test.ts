import { expect, test } from 'vitest';
import { z } from 'zod';
import { relayLanes } from './lanes.ts';
import { relaySection } from './settings.ts';

const OWN = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'Posthorn <no-reply@posthorn.example>' };
const open = (given: Record<string, string>) =>
  relayLanes(z.object(relaySection.shape).parse(given), {
    ownMails: OWN,
    key: Buffer.alloc(32),
    unsubscribeUrl: () => '',
  });

test('customers’ emails have a sender of their own, which their lane tells', () => {
  expect(open({ EMAIL_FROM: 'Post <post@posthorn.example>' })).toMatchObject([
    { channel: 'email', sender: 'post@posthorn.example' },
  ]);
});

test('without a sender of their own there is no email channel: password mails keep theirs', () => {
  expect(open({})).toEqual([]);
});

test.each(['no-reply@posthorn.example', 'Shop <No-Reply@POSTHORN.example>'])(
  'the sender of password mails can’t be that of customers: %s',
  (from) => {
    expect(() => open({ EMAIL_FROM: from })).toThrow(/EMAIL_FROM: it must differ from MAIL_FROM/);
  },
);

test('a sender that is no address is told at the start', () => {
  expect(() => open({ EMAIL_FROM: 'Post Office' })).toThrow(/EMAIL_FROM: the sender must be an email/);
});
