import { type AddressInfo, createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { recipientOf, relayTo } from '../../../test/mail-relay.ts';
import { listen, newOutgoing } from '../../../test/suites/carrier-suite.ts';
import type { SendOutcome } from '../../traffic/lanes/index.ts';
import { ReplyReader, type SmtpReply } from './session/reply-reader.ts';

const ending: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

/** A server that behaves well until the test says what to answer instead. */
const startServer = async (answer: (verb: string, at: number, socket: Socket) => string | undefined) => {
  const open = new Set<Socket>();
  /** Recipients whose content came whole. */
  const taken = new Set<string>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => {});
    let [inData, at, to] = [false, 0, ''];
    const usual: Record<string, string> = {
      EHLO: '250-x\r\n250-PIPELINING\r\n250 SIZE 0\r\n',
      DATA: '354 go\r\n',
      '.': '250 taken\r\n',
      QUIT: '221 bye\r\n',
    };
    const say = (verb: string) => {
      at += 1;
      const text = answer(verb, at, socket) ?? usual[verb] ?? '250 fine\r\n';
      if (!socket.destroyed && text !== '') socket.write(text, 'latin1');
      if (verb === 'DATA') inData = true;
    };
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (inData && line !== '.') continue;
        if (inData) taken.add(to);
        inData = false;
        to = /^RCPT TO:<(.*)>/.exec(line)?.[1] ?? to;
        say(line === '.' ? '.' : (line.split(' ')[0] ?? ''));
      }
    });
    say('HELLO');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ending.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  );
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, taken };
};

const attempt = async (server: { url: string }, recipients: string[]): Promise<SendOutcome[]> => {
  const carrier = relayTo(server, { timeoutMs: 150, connectMs: 150, reconnect: { firstMs: 5, maxMs: 10 } });
  await carrier.open(listen());
  const said = await Promise.all(recipients.map((to) => carrier.send(newOutgoing({ recipient: to }))));
  await carrier.close(200);
  return said;
};

const STRANGE = [
  ['garbage', () => '\x00\xff\x16\x03\x01 garbage\r\n'],
  ['a code that is none', () => '999 no\r\n'],
  ['nothing at all', () => ''],
  ['half a line', () => '25'],
  ['a line without end', () => '250 '.padEnd(100_000, 'x')],
  ['lines without end', () => '250-more\r\n'.repeat(1_000)],
  ['three answers at once', () => '250 a\r\n250 b\r\n250 c\r\n'],
  ['354 out of turn', () => '354 go\r\n'],
  ['421', () => '421 closing\r\n'],
  [
    'a reset',
    (socket: Socket) => {
      socket.resetAndDestroy();
      return '';
    },
  ],
  [
    'an end',
    (socket: Socket) => {
      socket.end();
      return '';
    },
  ],
] as const;

const VERBS = ['HELLO', 'EHLO', 'MAIL', 'RCPT', 'DATA', '.'];

test.each(STRANGE.flatMap(([what, say]) => VERBS.map((verb) => [what, verb, say] as const)))(
  '%s in answer to %s ends in an outcome that is true',
  async (_, verb, say) => {
    const server = await startServer((given, __, socket) => (given === verb ? say(socket) : undefined));
    const recipients = Array.from({ length: 3 }, () => recipientOf());
    for (const [at, said] of (await attempt(server, recipients)).entries()) {
      const isTaken = server.taken.has(recipients[at] ?? '');
      if (said.outcome === 'accepted') expect(isTaken).toBe(true);
      // An answer of 421 to the content says that it was not taken.
      if (said.outcome === 'refused')
        expect([said.retryable, isTaken && said.code !== 'SMTP_421']).toEqual([true, false]);
    }
  },
);

test('whatever a server says, every message has an outcome', async () => {
  const code = fc.constantFrom('200', '250', '354', '421', '450', '500', '550', '554', '999', 'xyz', '');
  const line = fc
    .tuple(code, fc.constantFrom(' ', '-', ''), fc.string({ maxLength: 20 }))
    .map((parts) => `${parts.join('')}\r\n`);
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    line,
    fc.string({ unit: 'binary', maxLength: 30 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }), async (script) => {
      const server = await startServer((_, at) => script[at - 1]);
      for (const said of await attempt(server, [recipientOf(), recipientOf()]))
        expect(['accepted', 'refused', 'unknown']).toContain(said.outcome);
    }),
    { numRuns: 40 },
  );
}, 60_000);

test('a slow answer to NOOP begins no second message while one is begun', async () => {
  let asked = 0;
  const server = await startServer((verb) => {
    if (verb === 'NOOP') asked += 1;
    if (verb === 'NOOP') return asked === 1 ? '' : undefined;
    if (verb !== 'MAIL' || asked !== 1) return undefined;
    asked += 1;
    return '250 late\r\n250 fine\r\n';
  });
  const carrier = relayTo(server, { connections: 1, idleMs: 30, timeoutMs: 1_000 });
  await carrier.open(listen());
  await vi.waitFor(() => expect(asked).toBe(1));
  const said = await Promise.all([1, 2].map(() => carrier.send(newOutgoing({ recipient: recipientOf() }))));
  await carrier.close(200);
  expect(said.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
});

test('STARTTLS with more behind its answer is somebody else speaking', async () => {
  const server = await startServer((verb) => {
    if (verb === 'EHLO') return '250-x\r\n250 STARTTLS\r\n';
    if (verb === 'STARTTLS') return '220 go\r\n250 injected\r\n';
    return undefined;
  });
  const carrier = relayTo(server);
  const heard = listen();
  await carrier.open(heard);
  await carrier.close(100);
  expect(heard.states[0]).toEqual({ up: false, reason: 'the mail server spoke out of turn' });
});

test('answers are the same however they are cut', () => {
  const text = '220 hi\r\n250-a\r\n250-b c\r\n250 d\r\n354\r\n550 5.1.1 no\n';
  const readAll = (chunks: string[]): SmtpReply[] => {
    const reader = new ReplyReader();
    const replies: SmtpReply[] = [];
    for (const chunk of chunks) expect(reader.push(chunk, (reply) => replies.push(reply))).toBe(true);
    expect(reader.isEmpty).toBe(true);
    return replies;
  };
  const whole = readAll([text]);
  expect(whole.map(({ code, lines }) => [code, ...lines])).toEqual([
    [220, 'hi'],
    [250, 'a', 'b c', 'd'],
    [354, ''],
    [550, '5.1.1 no'],
  ]);
  for (let at = 0; at < text.length; at += 1)
    expect(readAll([text.slice(0, at), text.slice(at)])).toEqual(whole);
  expect(readAll([...text])).toEqual(whole);
});
