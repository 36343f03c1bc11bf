import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { insistOnBounce, reportOf } from '../../../test/bounces.ts';
import {
  openSmtpSink,
  type SmtpSink,
  type SmtpSinkOptions,
} from '../../../test/emulators/smtp-sink/smtp-sink.ts';
import { KEY, mailsTo, recipientOf, relayTo, takenOf } from '../../../test/mail-relay.ts';
import { freePort } from '../../../test/program.ts';
import {
  type CarrierUnderTest,
  carrierSuite,
  listen,
  newOutgoing,
} from '../../../test/suites/carrier-suite.ts';
import { bounceAddress } from './bounce-address.ts';
import type { RelayOptions } from './relay-options.ts';
import type { SmtpRelaySettings } from './smtp-relay.ts';

const DOMAIN = 'bounces.sender.example';
const TLS = createRequire(import.meta.url)('smtp-server/lib/tls-options.js')() as {
  key: string;
  cert: string;
};
const LOGIN = { user: 'posthorn', password: 'hunter2 ü' };

const suite = async (options: SmtpSinkOptions = {}): Promise<CarrierUnderTest> => {
  const sink = await openSmtpSink(options);
  const port = await freePort();
  const bounces = { domain: DOMAIN, key: KEY, host: '127.0.0.1', port };
  return {
    carrier: relayTo(sink, { verify: false }, { bounces }),
    recipient: recipientOf,
    sender: undefined,
    taken: (message) => takenOf(sink, message),
    refuses: () => recipientOf('refused'),
    refusesForNow: () => recipientOf('later'),
    staysSilent: () => recipientOf('silent'),
    report: (providerMessageId, state) => {
      const returnPath = sink.received.find(({ raw }) => raw.includes(`<${providerMessageId}>`))?.from ?? '';
      // It is not waited for: the suite lets the first try fail.
      void insistOnBounce(port, returnPath, reportOf(state, state === 'failed' ? '5.1.1' : '2.0.0'));
    },
    cut: sink.drop,
    texts: [
      '.',
      '..',
      'a\n.\nb\n..\n.',
      'From here\nFrom there ',
      '=_ =20 =\n=',
      'tab\t\n  \n ',
      'a\r\nb\rc\nd',
    ],
    close: async () => {
      expect(sink.violations).toEqual([]);
      await sink.close();
    },
  };
};
carrierSuite('a mail server', () => suite(), ['write']);
carrierSuite('a mail server without pipelining', () => suite({ pipelining: false }), ['write']);
carrierSuite('a mail server with TLS', () => suite({ secure: TLS }), ['write']);

describe('the mail carrier', () => {
  const ending: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ending.splice(0).reverse()) await end();
  });

  const start = async (options: SmtpSinkOptions = {}): Promise<SmtpSink> => {
    const sink = await openSmtpSink(options);
    ending.push(sink.close);
    return sink;
  };
  const open = async (
    sink: SmtpSink,
    relay: Partial<RelayOptions> = {},
    rest: Partial<SmtpRelaySettings> = {},
  ) => {
    const carrier = relayTo(sink, relay, rest);
    const heard = listen();
    await carrier.open(heard);
    ending.push(() => carrier.close(500));
    const send = (to: string, more: Parameters<typeof newOutgoing>[0] = { recipient: to }) =>
      carrier.send(newOutgoing({ ...more, recipient: to }));
    return { carrier, heard, send };
  };

  test('long mails are composed one after another, with turns for others in between', async () => {
    let composed = 0;
    const sink = await start();
    const { send } = await open(
      sink,
      {},
      {
        unsubscribeUrl: () => {
          composed += 1;
          return 'https://posthorn.example/unsubscribe/x';
        },
      },
    );
    const sending = Array.from({ length: 5 }, () =>
      send(recipientOf(), { recipient: '', html: '<p>'.padEnd(200_000, 'x') }),
    );
    let most = 0;
    for (let before = 0; composed < sending.length; before = composed) {
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, composed - before);
    }
    expect(most).toBe(1);
    const outcomes = await Promise.all(sending);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(5).fill('accepted'));
  });
  const reasons = (heard: { states: { reason: string }[] }) =>
    heard.states.map(({ reason }) => reason).join();

  test.each([
    ['refused', { code: '5.1.1', reason: 'no such mailbox', retryable: false }],
    ['plain', { code: 'SMTP_550', reason: 'go away', retryable: false }],
    ['spam', { code: '5.7.1', reason: 'looks like spam', retryable: false }],
    ['later', { code: '4.7.1', reason: 'try again later', retryable: true }],
    ['full', { code: '4.2.2', reason: 'mailbox full', retryable: true }],
    ['busy', { code: 'NOT_CONNECTED', retryable: true }],
    ['cut', { code: 'NOT_CONNECTED', retryable: true }],
    ['deaf', { code: 'NOT_CONNECTED', retryable: true }],
  ])('%s: it says what the server said, and the next message goes out', async (kind, said) => {
    const sink = await start();
    const { carrier, send } = await open(sink, { timeoutMs: kind === 'deaf' ? 1_000 : 20_000 });
    const to = recipientOf(kind);
    expect(await send(to)).toMatchObject({ outcome: 'refused', ...said });
    expect(await mailsTo(sink, to)).toHaveLength(0);
    await vi.waitFor(() => expect(carrier.isUp()).toBe(true));
    expect(await send(recipientOf())).toMatchObject({ outcome: 'accepted' });
    expect(sink.violations).toEqual([]);
  });

  test('a connection that is lost after the content leaves the outcome unknown, and it is sent once', async () => {
    const sink = await start();
    const { send } = await open(sink);
    const to = recipientOf('dropped');
    expect(await send(to)).toMatchObject({ outcome: 'unknown' });
    expect(await mailsTo(sink, to)).toHaveLength(1);
  });

  test('of many in flight when the server goes, each is unknown, or certainly not sent', async () => {
    const sink = await start({ latencyMs: 3 });
    const { send } = await open(sink, { connections: 3 });
    for (let round = 0; round < 5; round += 1) {
      const recipients = Array.from({ length: 12 }, () => recipientOf());
      const sent = recipients.map(async (to) => ({ to, said: await send(to) }));
      setTimeout(sink.drop, 4 + round * 3);
      for (const { to, said } of await Promise.all(sent)) {
        const taken = (await mailsTo(sink, to)).length;
        if (said.outcome === 'accepted') expect(taken).toBe(1);
        else if (said.outcome === 'refused') expect([said.retryable, taken]).toEqual([true, 0]);
        else expect(taken).toBeLessThanOrEqual(1);
      }
      await vi.waitFor(async () => expect(await send(recipientOf())).toMatchObject({ outcome: 'accepted' }));
    }
    expect(sink.violations).toEqual([]);
  });

  test('a sender that the server does not take is a fault of the settings: it is tried again', async () => {
    const { send } = await open(await start(), {}, { from: 'forbidden@sender.example' });
    expect(await send(recipientOf())).toMatchObject({ outcome: 'refused', code: '5.7.1', retryable: true });
  });

  test.each([true, false])('refused ones between others harm none (pipelining %s)', async (pipelining) => {
    const sink = await start({ pipelining });
    const { send } = await open(sink, { connections: 1 });
    const kinds = ['to', 'refused', 'to', 'later', 'spam', 'to', 'refused', 'refused', 'to'];
    const said = await Promise.all(kinds.map((kind) => send(recipientOf(kind))));
    expect(said.map(({ outcome }) => outcome)).toEqual(
      kinds.map((kind) => (kind === 'to' ? 'accepted' : 'refused')),
    );
    expect(sink.connections().made).toBe(1);
    expect(sink.violations).toEqual([]);
  });

  test('one connection is made first, others while there is work, up to the limit', async () => {
    const sink = await start({ latencyMs: 5 });
    const { send } = await open(sink, { connections: 4 });
    expect(sink.connections().made).toBe(1);
    await Promise.all(Array.from({ length: 60 }, () => send(recipientOf())));
    expect(sink.connections().made).toBe(4);
  });

  test('idle connections end but one, which is asked whether it is alive', async () => {
    const sink = await start({ latencyMs: 5 });
    const { send, heard } = await open(sink, { connections: 3, idleMs: 150 });
    await Promise.all(Array.from({ length: 40 }, () => send(recipientOf())));
    await vi.waitFor(() => expect(sink.connections().open).toBe(1));
    await vi.waitFor(() => expect(sink.commands('NOOP')).toBeGreaterThan(1));
    expect(sink.commands('QUIT')).toBe(2);
    expect(heard.states).toHaveLength(1);
    expect(await send(recipientOf())).toMatchObject({ outcome: 'accepted' });
  });

  test('a connection is made anew after its messages, without going down', async () => {
    const sink = await start();
    const { send, heard } = await open(sink, { connections: 1, maxMessages: 10 });
    const said = await Promise.all(Array.from({ length: 35 }, () => send(recipientOf())));
    expect(said.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(35);
    expect(sink.connections().made).toBe(4);
    expect(sink.commands('QUIT')).toBe(3);
    expect(heard.states).toHaveLength(1);
  });

  test('what is larger than the server takes is refused without sending it', async () => {
    const sink = await start({ size: 2_000 });
    const { send } = await open(sink);
    const said = await send(recipientOf(), newOutgoing({ recipient: '', text: 'long '.repeat(1_000) }));
    expect(said).toMatchObject({ outcome: 'refused', code: 'TOO_LARGE', retryable: false });
    expect(sink.commands('MAIL')).toBe(0);
  });

  test.each([
    ['jürgen@example.com', true, 'accepted'],
    ['jürgen@example.com', false, 'ADDRESS_NOT_ASCII'],
    ['somebody@bücher.example', false, 'accepted'],
    ['"two words"@example.com', false, 'accepted'],
    ['somebody@[127.0.0.1]', false, 'accepted'],
    ['a@b@c', true, 'INVALID_RECIPIENT'],
    ['a@example.com>\r\nRSET', true, 'INVALID_RECIPIENT'],
    ['a b@example.com', true, 'INVALID_RECIPIENT'],
    ['@example.com', true, 'INVALID_RECIPIENT'],
    [`${'a'.repeat(65)}@example.com`, true, 'INVALID_RECIPIENT'],
  ])('an address %j on a server that knows UTF-8 (%s): %s', async (to, utf8, said) => {
    const sink = await start({ utf8 });
    const { send } = await open(sink);
    const answer = await send(to);
    expect(answer.outcome === 'refused' ? answer.code : answer.outcome).toBe(said);
    if (said === 'accepted')
      expect(sink.received.at(-1)?.to).toEqual([to.replace('bücher', 'xn--bcher-kva')]);
    expect(sink.violations).toEqual([]);
  });

  test.each([['PLAIN'], ['LOGIN']])('a login by %s is made behind STARTTLS', async (mechanism) => {
    const sink = await start({ starttls: TLS, auth: LOGIN, mechanisms: [mechanism] });
    const { send } = await open(sink, { ...LOGIN, verify: false, starttls: 'required' });
    expect(await send(recipientOf())).toMatchObject({ outcome: 'accepted' });
    expect(sink.logins).toEqual([{ mechanism, secure: true }]);
    expect(sink.violations).toEqual([]);
  });

  test.each([
    [
      'a wrong password',
      { auth: LOGIN },
      { user: 'posthorn', password: 'wrong' },
      /login was refused with 535/,
    ],
    ['no login that we know', { auth: LOGIN, mechanisms: ['GSSAPI'] }, LOGIN, /no login that we know/],
    [
      'a certificate that nobody vouches for',
      { starttls: TLS },
      { verify: true },
      /SELF_SIGNED|EXPIRED|UNABLE/,
    ],
    ['no TLS where it is required', {}, { starttls: 'required' as const }, /offers no TLS/],
    ['a greeting that sends us away', { greeting: '554 5.7.1 No' }, {}, /greets with 554 No/],
    ['a greeting that is not SMTP', { greeting: 'SSH-2.0-OpenSSH' }, {}, /not SMTP/],
  ])('%s keeps it down, and its state says why', async (_, options, relay, reason) => {
    const sink = await start(options);
    const { carrier, heard, send } = await open(sink, relay);
    expect(carrier.isUp()).toBe(false);
    expect(reasons(heard)).toMatch(reason);
    expect(reasons(heard)).not.toMatch(/hunter2|wrong/);
    expect(await send(recipientOf())).toMatchObject({ outcome: 'refused', retryable: true });
    expect(sink.received).toHaveLength(0);
  });

  test("somebody else's server takes them too, behind STARTTLS and a login", async () => {
    const taken: string[] = [];
    const server = new SMTPServer({
      ...TLS,
      logger: false,
      onAuth: ({ username, password }, _session, callback) =>
        username === LOGIN.user && password === LOGIN.password
          ? callback(null, { user: username })
          : callback(new Error('no')),
      onData: (stream, { envelope, secure }, callback) => {
        stream.resume();
        stream.on('end', () => {
          if (secure) taken.push(...envelope.rcptTo.map(({ address }) => address));
          callback();
        });
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ending.push(() => new Promise((resolve) => server.close(resolve)));
    const { port } = server.server.address() as AddressInfo;
    const carrier = relayTo({ url: `smtp://127.0.0.1:${port}` }, { ...LOGIN, verify: false });
    await carrier.open(listen());
    const recipients = Array.from({ length: 50 }, () => recipientOf());
    const said = await Promise.all(recipients.map((to) => carrier.send(newOutgoing({ recipient: to }))));
    await carrier.close(500);
    expect(said.every(({ outcome }) => outcome === 'accepted')).toBe(true);
    expect(taken.sort()).toEqual(recipients.sort());
  });

  test('a server that knows no EHLO is spoken to as of old', async () => {
    const sink = await start({ old: true, pipelining: false, utf8: false });
    const { send } = await open(sink);
    expect(await send(recipientOf())).toMatchObject({ outcome: 'accepted' });
  });

  test('a server that is away is tried again until it is there', async () => {
    const gone = await openSmtpSink();
    await gone.close();
    const { carrier, heard, send } = await open(gone);
    expect(reasons(heard)).toMatch(/ECONNREFUSED/);
    expect(await send(recipientOf())).toMatchObject({ code: 'NOT_CONNECTED', retryable: true });
    await start({ port: gone.port });
    await vi.waitFor(() => expect(carrier.isUp()).toBe(true));
    expect(await send(recipientOf())).toMatchObject({ outcome: 'accepted' });
  });

  test('a bounce port that is taken is told', async () => {
    const sink = await start();
    const bounces = { domain: DOMAIN, key: KEY, host: '127.0.0.1', port: sink.port };
    await expect(relayTo(sink, {}, { bounces }).open(listen())).rejects.toThrow(/port \d+: EADDRINUSE/);
  });

  test('the envelope has a sender of its own for each message where bounces are wanted', async () => {
    const sink = await start();
    const bounces = { domain: DOMAIN, key: KEY, host: '127.0.0.1', port: undefined };
    const { carrier } = await open(sink, {}, { bounces });
    const message = newOutgoing({ recipient: recipientOf() });
    expect(await carrier.send(message)).toEqual({
      outcome: 'accepted',
      providerMessageId: `${message.id}@${DOMAIN}`,
    });
    expect(sink.received[0]?.from).toBe(bounceAddress({ domain: DOMAIN, key: KEY }, message.id));
    expect((await mailsTo(sink, message.recipient))[0]?.messageId).toBe(`<${message.id}@${DOMAIN}>`);
  });
});
