import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import fc from 'fast-check';
import { createTransport } from 'nodemailer';
import { describe, expect, test } from 'vitest';
import { ed25519PublicKey, verifyDkim } from '../../../test/dkim-verifier.ts';
import { newOutgoing } from '../../../test/suites/carrier-suite.ts';
import { readHeaderMailbox } from './address.ts';
import { openComposer } from './compose.ts';
import { canonicalBody, type DkimKey, readDkimKey } from './dkim.ts';

const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ED = generateKeyPairSync('ed25519');
const keyOf = (key: KeyObject, selector: string): DkimKey => ({ domain: 'sender.example', selector, key });

/** RFC 8463, appendix A.3, with the key of A.2. */
const SAMPLE = [
  'DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;',
  ' d=football.example.com; i=@football.example.com;',
  ' q=dns/txt; s=brisbane; t=1528637909; h=from : to :',
  ' subject : date : message-id : from : subject : date;',
  ' bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;',
  ' b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus',
  ' Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==',
  'From: Joe SixPack <joe@football.example.com>',
  'To: Suzie Q <suzie@shopping.example.net>',
  'Subject: Is dinner ready?',
  'Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)',
  'Message-ID: <20030712040037.46341.5F8J@football.example.com>',
  '',
  'Hi.',
  '',
  'We lost the game.  Are you hungry yet?',
  '',
  'Joe.',
  '',
].join('\r\n');
const SAMPLE_KEY = '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';

describe('the verifier of these tests', () => {
  test("agrees with the RFC's own example, and with no other text", () => {
    const key = ed25519PublicKey(SAMPLE_KEY);
    expect(verifyDkim(SAMPLE, key).valid).toBe(true);
    expect(verifyDkim(SAMPLE.replace('lost', 'won'), key).valid).toBe(false);
    expect(verifyDkim(SAMPLE.replace('dinner', 'lunch'), key).valid).toBe(false);
  });

  test("agrees with nodemailer's signatures", async () => {
    const transport = createTransport({
      streamTransport: true,
      buffer: true,
      newline: 'windows',
      dkim: {
        domainName: 'sender.example',
        keySelector: 'a',
        privateKey: RSA.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
      },
    });
    const { message } = await transport.sendMail({
      from: 'post@sender.example',
      to: 'somebody@example.com',
      subject: '你好  there',
      text: 'Lines \n\n\twith   spaces \n\n',
    });
    expect(verifyDkim((message as Buffer).toString('latin1'), RSA.publicKey).valid).toBe(true);
  });
});

const rawOf = async (
  keys: DkimKey[],
  rest: Partial<Parameters<typeof newOutgoing>[0]> = {},
): Promise<string> => {
  const address = readHeaderMailbox('post@sender.example')?.address;
  if (!address) throw new Error('no address');
  const compose = openComposer({
    operator: { name: 'Posthorn', address, domains: [] },
    bounces: undefined,
    dkim: keys,
    unsubscribeUrl: () => 'https://posthorn.example/unsubscribe/abc.def',
  });
  const letter = await compose(newOutgoing({ recipient: 'somebody@example.com', ...rest }));
  if ('outcome' in letter) throw new Error(letter.code);
  return letter.data.slice(0, -3).replaceAll('\r\n.', '\r\n');
};

describe('a signed mail', () => {
  test.each([
    ['rsa-sha256', RSA],
    ['ed25519-sha256', ED],
  ])('%s holds for any text, subject and HTML', async (algorithm, pair) => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc
        .array(fc.constantFrom(' ', '\n', '\t', '.', 'word', '你'), { maxLength: 60 })
        .map((parts) => parts.join('')),
    );
    await fc.assert(
      fc.asyncProperty(text, text, fc.option(text, { nil: undefined }), async (subject, words, html) => {
        const raw = await rawOf([keyOf(pair.privateKey, 's1')], {
          subject,
          text: `${words.replaceAll('\0', '')}.`,
          html: html?.replaceAll('\0', ''),
        });
        const { valid, tags } = verifyDkim(raw, pair.publicKey);
        expect(valid).toBe(true);
        expect(tags.get('a')).toBe(algorithm);
      }),
      { numRuns: 60 },
    );
  });

  test('two keys make two signatures, and every header of ours is under them', async () => {
    const raw = await rawOf([keyOf(RSA.privateKey, 'a'), keyOf(ED.privateKey, 'b')], {
      subject: 'Hello',
      from: 'x@y.example',
    });
    expect(verifyDkim(raw, RSA.publicKey, 0)).toMatchObject({ valid: true });
    const { valid, tags } = verifyDkim(raw, ED.publicKey, 1);
    expect(valid).toBe(true);
    const names = tags.get('h')?.split(':') ?? [];
    const own = raw
      .slice(0, raw.indexOf('\r\n\r\n'))
      .split(/\r\n(?![ \t])/)
      .map((line) => line.split(':')[0]?.toLowerCase());
    for (const name of own) if (name !== 'dkim-signature') expect(names).toContain(name);
    // RFC 8058, 4: the click is only believed where it is signed.
    expect(names).toEqual(expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']));
    expect(raw.split('\r\n').every((line) => line.length <= 200)).toBe(true);
  });

  test.each(['From', 'Subject', 'Reply-To', 'To'])(
    'another %s on top of it breaks the signature',
    async (name) => {
      const raw = await rawOf([keyOf(RSA.privateKey, 'a')], { subject: 'Hello' });
      const end = raw.indexOf('\r\n\r\n');
      const forged = `${raw.slice(0, end)}\r\n${name}: evil@example.com${raw.slice(end)}`;
      expect(verifyDkim(raw, RSA.publicKey).valid).toBe(true);
      expect(verifyDkim(forged, RSA.publicKey).valid).toBe(false);
    },
  );

  test('a body is made even as RFC 6376, 3.4.5 shows', () => {
    const even = (body: string) => canonicalBody(body).toString('latin1');
    expect(even(' C \r\nD \t E\r\n\r\n\r\n')).toBe(' C\r\nD E\r\n');
    expect(even('\r\n')).toBe('');
    expect(even('')).toBe('');
    expect(even('\r\n \t\r\n\ta\r\n \r\nb')).toBe('\r\n\r\n a\r\n\r\nb\r\n');
    expect(even('a\rb\nc\r\n')).toBe('a\rb\nc\r\n');
  });

  test('a body is made even as by its lines, one by one', () => {
    const byLines = (body: string): string => {
      const lines = body.split('\r\n').map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''));
      const last = lines.findLastIndex((line) => line !== '');
      return lines
        .slice(0, last + 1)
        .map((line) => `${line}\r\n`)
        .join('');
    };
    const body = fc
      .array(fc.constantFrom(' ', '\t', '\r\n', '\r', '\n', 'a', '.', '\xff'), { maxLength: 40 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(body, (text) => {
        expect(canonicalBody(text).toString('latin1')).toBe(byLines(text));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a key file', () => {
  test('RSA and Ed25519 are read', () => {
    for (const { privateKey } of [RSA, ED])
      expect(readDkimKey(privateKey.export({ format: 'pem', type: 'pkcs8' })).equals(privateKey)).toBe(true);
    expect(
      createPrivateKey(RSA.privateKey.export({ format: 'pem', type: 'pkcs1' })).equals(RSA.privateKey),
    ).toBe(true);
  });

  test.each([
    ['nonsense', 'hunter2'],
    [
      'another kind of key',
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' }),
    ],
    ['a public key', RSA.publicKey.export({ format: 'pem', type: 'spki' })],
  ])('%s is refused, and not repeated', (_, pem) => {
    expect(() => readDkimKey(pem)).toThrow(/^it (holds no private key|must hold an RSA)/);
  });
});
