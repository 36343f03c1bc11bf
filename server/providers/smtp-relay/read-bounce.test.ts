import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportOf } from '../../../test/bounces.ts';
import { readBounce } from './read-bounce.ts';

const letter = (headers: string[], text: string): Buffer =>
  Buffer.from([...headers, 'Date: Tue, 01 Jul 2025 10:52:37 +0000', '', text, ''].join('\r\n'));

const EXCHANGE = [
  'From: postmaster@exchange.example',
  'Subject: Undeliverable: Hello',
  'Content-Type: multipart/report; report-type=delivery-status; boundary="x"',
  'MIME-Version: 1.0',
  '',
  '--x',
  'Content-Type: multipart/alternative; boundary="y"',
  '',
  '--y',
  'Content-Type: text/html',
  '',
  '<p>Delivery has failed</p>',
  '--y--',
  '--x',
  'Content-Type: message/delivery-status',
  '',
  'Reporting-MTA: dns;exchange.example',
  'Received-From-MTA: dns;relay.example',
  '',
  'Final-recipient: RFC822;',
  ' somebody@exchange.example',
  'Action: failed',
  'Status: 5.2.2 (mailbox full)',
  'Diagnostic-code: smtp;552 5.2.2 mailbox full',
  'X-Display-Name: Somebody',
  '',
  '--x--',
  '',
].join('\r\n');

const GROUP = reportOf('delivered', '2.1.5').replace(
  'Final-Recipient',
  'Final-Recipient: rfc822; other@example.com\r\nAction: failed\r\nStatus: 5.4.1\r\n\r\nFinal-Recipient',
);

describe('a report of RFC 3464', () => {
  test.each([
    ['failed', reportOf('failed', '5.1.1'), { state: 'failed', code: '5.1.1' }],
    ['failed after days of trying', reportOf('failed', '4.4.7'), { state: 'failed', code: '4.4.7' }],
    ['failed without a status', reportOf('failed', 'unknown'), { state: 'failed', code: 'BOUNCED' }],
    ['delayed', reportOf('delayed', '4.4.1'), { state: 'enroute', code: '4.4.1' }],
    ['delivered', reportOf('delivered', '2.0.0'), { state: 'delivered', code: '2.0.0' }],
    ['with names in another case, folds and a comment', EXCHANGE, { state: 'failed', code: '5.2.2' }],
    [
      'with lines that end in LF alone',
      reportOf('failed', '5.1.1').replaceAll('\r\n', '\n'),
      { state: 'failed', code: '5.1.1' },
    ],
    ['on several recipients: the worst counts', GROUP, { state: 'failed', code: '5.4.1' }],
    [
      'with an action that nobody knows',
      reportOf('failed', '5.1.1').replace('Action: failed', 'Action: eaten'),
      undefined,
    ],
  ])('%s', async (_, raw, bounce) => {
    expect(await readBounce(Buffer.from(raw))).toEqual(bounce);
  });
});

describe('a letter without a report', () => {
  test.each([
    [
      'of qmail',
      ['From: MAILER-DAEMON@qmail.example', 'Subject: failure notice'],
      'Hi. This is the qmail-send program.\n<somebody@example.com>:\nSorry, no mailbox here by that name. (#5.1.1)',
      { state: 'failed', code: '5.1.1' },
    ],
    [
      'without any code',
      ['From: Mail Delivery Subsystem <mailer-daemon@old.example>', 'Subject: Returned mail'],
      'User unknown',
      { state: 'failed', code: 'BOUNCED' },
    ],
    [
      'of a warning',
      ['From: mailer-daemon@exim.example', 'Subject: Warning: message delayed 24 hours'],
      'Delivery failed so far with 4.4.1; the server will keep trying.',
      { state: 'enroute', code: '4.4.1' },
    ],
    [
      'of somebody on holiday',
      ['From: somebody@example.com', 'Subject: Automatic reply: away', 'Auto-Submitted: auto-replied'],
      'I am away. Failed to deliver? Call 5.1.1.',
      undefined,
    ],
    [
      'of somebody on holiday, in an old way',
      ['From: a@example.com', 'Subject: away', 'X-Autoreply: yes'],
      'user unknown 5.1.1',
      undefined,
    ],
    [
      'of a person',
      ['From: somebody@example.com', 'Subject: Re: Hello'],
      'Thank you, my mailbox is full of these.',
      undefined,
    ],
    [
      'of a postmaster who says hello',
      ['From: postmaster@example.com', 'Subject: Hello'],
      'We moved.',
      undefined,
    ],
  ])('%s', async (_, headers, text, bounce) => {
    expect(await readBounce(letter(headers, text))).toEqual(bounce);
  });

  test('whatever comes is read or passed over', async () => {
    const pieces = fc.constantFrom(
      'Content-Type: multipart/report; boundary="b"',
      '--b',
      '--b--',
      'Content-Type: message/delivery-status',
      'Action: failed',
      'Status: 5.',
      'Content-Transfer-Encoding: base64',
      '\r\n',
      ':',
      '\0',
      'From: <<>>@',
      '=?UTF-8?B?=?=',
    );
    const raw = fc.oneof(
      fc.uint8Array({ maxLength: 500 }).map((octets) => Buffer.from(octets)),
      fc
        .array(fc.oneof(pieces, fc.string({ maxLength: 20 })), { maxLength: 30 })
        .map((lines) => Buffer.from(lines.join('\r\n'))),
    );
    await fc.assert(
      fc.asyncProperty(raw, async (octets) => {
        const bounce = await readBounce(octets);
        if (bounce) expect(['failed', 'delivered', 'enroute']).toContain(bounce.state);
      }),
      { numRuns: 500 },
    );
  });
});
