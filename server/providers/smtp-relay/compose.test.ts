import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { contentFault } from '../../../test/emulators/smtp-sink/smtp-sink-rules.ts';
import { sameText } from '../../../test/mail-relay.ts';
import { newOutgoing } from '../../../test/suites/carrier-suite.ts';
import type { Outgoing } from '../../traffic/lanes/index.ts';
import { type MailAddress, readHeaderMailbox } from './address.ts';
import { type ComposeOptions, openComposer } from './compose.ts';

const OPERATOR = {
  name: 'Posthorn',
  address: readHeaderMailbox('post@sender.example')?.address,
  domains: ['lent.example'],
};

const composer = (rest: Partial<ComposeOptions> = {}) => {
  if (!OPERATOR.address) throw new Error('no address');
  const operator = { ...OPERATOR, address: OPERATOR.address };
  return openComposer({ operator, bounces: undefined, dkim: [], unsubscribeUrl: undefined, ...rest });
};

/** The mail as the receiver's server keeps it, after a look at what the RFCs ask of it. */
const rawOf = async (message: Partial<Outgoing>, rest: Partial<ComposeOptions> = {}): Promise<string> => {
  const letter = await composer(rest)(newOutgoing({ recipient: 'somebody@example.com', ...message }));
  if ('outcome' in letter) throw new Error(letter.code);
  expect(letter.data.endsWith('\r\n.\r\n')).toBe(true);
  const stuffed = letter.data.slice(0, -3);
  // Nothing in it ends the content early.
  expect(stuffed).not.toContain('\r\n.\r\n');
  expect(contentFault(stuffed, { utf8: letter.utf8, eightBit: letter.utf8, quick: false })).toBeUndefined();
  const raw = stuffed.replaceAll('\r\n.', '\r\n');
  expect(letter.octets).toBe(raw.length);
  return raw;
};
const headersOf = (raw: string): string[] =>
  raw
    .slice(0, raw.indexOf('\r\n\r\n'))
    .replace(/\r\n[ \t]/g, ' ')
    .split('\r\n');
const header = (raw: string, name: string): string | undefined =>
  headersOf(raw)
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2);

/** What people write, and what nobody should. */
const wild = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(
      fc.constantFrom(
        '.',
        '..',
        '\n',
        '\r',
        '\r\n',
        ' ',
        '\t',
        'From ',
        '=',
        '=?UTF-8?B?',
        '--=_',
        'é',
        '你好',
        '😀',
        'word',
      ),
      {
        maxLength: 200,
      },
    )
    .map((parts) => parts.join('')),
  fc.nat(3_000).map((length) => 'x'.repeat(length)),
);
/** As it is when it reaches a carrier: without NUL, and no half of a character. */
const accepted = wild.map((text) => text.replaceAll('\0', '').toWellFormed());

describe('a composed mail', () => {
  test('any text and HTML come through as they are', async () => {
    await fc.assert(
      fc.asyncProperty(accepted, fc.option(accepted, { nil: undefined }), async (text, html) => {
        fc.pre(text.trim() !== '' || (html ?? '').trim() !== '');
        const mail = await PostalMime.parse(await rawOf({ text, html }));
        if (text.trim() !== '') expect(sameText(mail.text ?? '')).toBe(sameText(text));
        if (html) expect(sameText(mail.html ?? '')).toBe(sameText(html));
      }),
      { numRuns: 400 },
    );
  });

  test('any subject and name come through on one line, and add no header', async () => {
    await fc.assert(
      fc.asyncProperty(accepted, accepted, async (subject, name) => {
        const raw = await rawOf({
          subject,
          from: name
            .replace(/[@<>"]/g, '')
            .slice(0, 100)
            .toWellFormed(),
        });
        const plain = (text: string) =>
          text
            .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
            .replace(/\s+/gu, ' ')
            .trim();
        const mail = await PostalMime.parse(raw);
        expect(plain(mail.subject ?? '')).toBe(plain(subject));
        expect(headersOf(raw).length).toBeLessThanOrEqual(9);
        for (const line of raw.slice(0, raw.indexOf('\r\n\r\n')).split('\r\n'))
          expect(line.length).toBeLessThan(998);
      }),
      { numRuns: 400 },
    );
  });

  test.each([
    ['plain words', 'plain words'],
    ['', undefined],
    ['你好', '=?UTF-8?B?5L2g5aW9?='],
    ['a\r\nBcc: victim@example.com', 'a Bcc: victim@example.com'],
    ['=?UTF-8?Q?x?=', '=?UTF-8?B?PT9VVEYtOD9RP3g/PQ==?='],
  ])('the subject %j is sent as %j', async (subject, sent) => {
    expect(header(await rawOf({ subject }), 'Subject')).toBe(sent);
  });

  test('a long subject is folded between its words', async () => {
    const subject = 'word '.repeat(60).trim();
    const raw = await rawOf({ subject });
    expect(header(raw, 'Subject')).toBe(subject);
    expect(raw.split('\r\n').every((line) => line.length <= 78)).toBe(true);
  });

  test.each([
    ['Hello.\nYour parcel has come.', '7bit'],
    ['A café for €5 and nothing else to be seen here.', 'quoted-printable'],
    ['你好，你的驗證碼是 1234。', 'base64'],
    ['x'.repeat(79), 'quoted-printable'],
    ['trailing space \nhere', 'quoted-printable'],
    ['From here', 'quoted-printable'],
  ])('%j is sent as %s', async (text, encoding) => {
    const raw = await rawOf({ text });
    expect(header(raw, 'Content-Transfer-Encoding')).toBe(encoding);
    expect(raw.split('\r\n').every((line) => line.length <= 78)).toBe(true);
  });

  test('it has a date, one id, and the better form last', async () => {
    const raw = await rawOf({ text: 'plain', html: '<b>rich</b>' });
    expect(Math.abs(Date.parse(header(raw, 'Date') ?? '') - Date.now())).toBeLessThan(60_000);
    expect(header(raw, 'Date')).toMatch(/ \+0000$/);
    expect(header(raw, 'Message-ID')).toMatch(/^<[0-9a-f-]{36}@sender\.example>$/);
    expect(header(raw, 'Content-Type')).toMatch(/^multipart\/alternative/);
    expect(raw.indexOf('text/plain')).toBeLessThan(raw.indexOf('text/html'));
  });

  test('HTML alone is sent alone', async () => {
    expect(header(await rawOf({ text: ' ', html: '<b>rich</b>' }), 'Content-Type')).toBe(
      'text/html; charset=utf-8',
    );
  });
});

describe('who a mail is from', () => {
  test.each([
    [undefined, 'Posthorn <post@sender.example>', undefined],
    ['Shop', 'Shop <post@sender.example>', undefined],
    ['The "best", Ltd.', '"The \\"best\\", Ltd." <post@sender.example>', undefined],
    ['商店', '=?UTF-8?B?5ZWG5bqX?= <post@sender.example>', undefined],
    ['shop@customer.example', 'Posthorn <post@sender.example>', 'shop@customer.example'],
    ['Shop <shop@customer.example>', 'Shop <post@sender.example>', 'Shop <shop@customer.example>'],
    ['Shop <shop@lent.example>', 'Shop <shop@lent.example>', undefined],
    ['post@sender.example', 'Posthorn <post@sender.example>', undefined],
    ['"ceo@bank.example" <x@customer.example>', 'Posthorn <post@sender.example>', 'x@customer.example'],
    ['Shop\r\nBcc: victim@example.com', undefined, undefined],
    ['Shop\r\nX: y', '"Shop X: y" <post@sender.example>', undefined],
  ])('%j is From %j with answers to %j', async (from, sent, replyTo) => {
    if (sent === undefined) return expect(rawOf({ from })).rejects.toThrow('INVALID_SENDER');
    const raw = await rawOf({ from });
    expect(header(raw, 'From')).toBe(sent);
    expect(header(raw, 'Reply-To')).toBe(replyTo);
  });

  test('where the mail server may send for every domain, a verified address is the sender itself', async () => {
    const operator = { ...OPERATOR, address: OPERATOR.address as MailAddress, domains: ['*'] };
    const raw = await rawOf({ from: 'Shop <shop@customer.example>' }, { operator });
    expect(header(raw, 'From')).toBe('Shop <shop@customer.example>');
    expect(header(raw, 'Reply-To')).toBeUndefined();
  });

  test.each(['a@b@c', '<>', 'Shop <>', 'Shop <a@b> more', 'ü@customer.example'])(
    '%j is refused',
    async (from) => {
      await expect(rawOf({ from })).rejects.toThrow('INVALID_SENDER');
    },
  );
});

describe('the way out of a list', () => {
  test('one click works over https, RFC 8058', async () => {
    const url = `https://posthorn.example/unsubscribe/${randomBytes(300).toString('base64url')}`;
    const raw = await rawOf({}, { unsubscribeUrl: () => url });
    expect(header(raw, 'List-Unsubscribe')).toBe(`<${url}>`);
    expect(header(raw, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
  });

  test('without https there is only the link', async () => {
    const raw = await rawOf(
      {},
      { unsubscribeUrl: ({ accountId }) => `http://localhost/unsubscribe/${accountId}` },
    );
    expect(header(raw, 'List-Unsubscribe')).toMatch(/^<http:/);
    expect(header(raw, 'List-Unsubscribe-Post')).toBeUndefined();
  });
});
