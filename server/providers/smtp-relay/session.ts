import { connect as connectPlainly, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { SendOutcome } from '../../traffic/lanes/index.ts';
import { inWords, type Refusal, refusalOf, refused } from './answers.ts';
import { type Features, featuresOf, logIn, NO_FEATURES } from './greeting.ts';
import type { RelayOptions } from './relay-options.ts';
import { type Reply, ReplyReader } from './reply-reader.ts';

/** A message as it goes over the wire. Strings have one octet a character. */
export interface Letter {
  from: string;
  to: string;
  /** Without what SMTP adds to it. */
  octets: number;
  /** With its dots doubled, and the dot that ends it. */
  data: string;
  /** An address in it is not ASCII: RFC 6531. */
  utf8: boolean;
  /** Our id, which is also in the header. */
  messageId: string;
  settle: (outcome: SendOutcome) => void;
}

interface SessionEvents {
  ready: () => void;
  /** The next message, if there is one. */
  next: () => Letter | undefined;
  /** It was certainly not sent. */
  back: (letter: Letter, reason: string) => void;
  /** Once, however it ended; `planned` if we ended it. */
  over: (reason: string, planned: boolean) => void;
}

/** One connection, from the first octet to the last. */
export interface Session {
  isReady: () => boolean;
  /** Takes the next message, unless it is busy. */
  wake: () => void;
  /** Quits once nothing is in flight. */
  quit: () => void;
  destroy: (reason: string) => void;
}

type Handler = (reply: Reply) => void;

const QUIT_MS = 1_000;
const isFine = ({ code }: Reply): boolean => code >= 200 && code < 300;

/**
 * Speaks SMTP with PIPELINING (RFC 2920): the envelope of a message is one group of commands, and it is sent together
 * with the content of the message before it. `stays`: it is kept alive when idle, others end.
 */
export const openSession = (
  options: RelayOptions,
  { stays }: { stays: boolean },
  events: SessionEvents,
): Session => {
  const { timeoutMs, connectMs, idleMs } = options;
  let reader = new ReplyReader();
  /** The handlers of the answers that are still to come, in order. */
  const expected: Handler[] = [];
  let features: Features = NO_FEATURES;
  let state: 'greeting' | 'ready' | 'quitting' | 'over' = 'greeting';
  let secured = options.secure;
  /** Its envelope was sent, its content was not. */
  let entering: { letter: Letter; refusal: Refusal | undefined } | undefined;
  /** Its content was sent: from here on only the server knows the outcome. */
  let sent: Letter | undefined;
  let begun = 0;
  let stirredAt = performance.now();

  const end = (reason: string) => {
    if (state === 'over') return;
    const planned = state === 'quitting';
    state = 'over';
    clearInterval(timer);
    sent?.settle({ outcome: 'unknown', reason: `The connection ended before the answer: ${reason}.` });
    const back = entering?.letter;
    sent = undefined;
    entering = undefined;
    // Before the message is given back: it must not come to this connection again.
    events.over(reason, planned);
    if (back) events.back(back, reason);
  };
  const destroy = (reason: string) => {
    socket.destroy();
    end(reason);
  };

  const write = (text: string) => {
    stirredAt = performance.now();
    socket.write(text, 'latin1');
  };
  const command = (text: string, answered: Handler) => {
    expected.push(answered);
    write(`${text}\r\n`);
  };

  const sayGoodBye = () => {
    state = 'quitting';
    command('QUIT', () => socket.end());
    setTimeout(() => destroy('closed'), QUIT_MS).unref();
  };

  /** Answers messages that it can't even try, and finds the next one that it can. */
  const pick = (): Letter | undefined => {
    for (let letter = events.next(); letter; letter = events.next()) {
      if (features.size > 0 && letter.octets > features.size)
        letter.settle(
          refused('TOO_LARGE', `The mail server takes no message above ${features.size} octets.`),
        );
      else if (letter.utf8 && !features.utf8)
        letter.settle(refused('ADDRESS_NOT_ASCII', 'The mail server takes only addresses of plain letters.'));
      else return letter;
    }
    return undefined;
  };

  const mailOf = ({ from, octets, utf8 }: Letter): string =>
    `MAIL FROM:<${from}>${features.size >= 0 ? ` SIZE=${octets}` : ''}${utf8 ? ' BODY=8BITMIME SMTPUTF8' : ''}\r\n`;

  /** Starts the next message, after what has to be written first. */
  const begin = (first = '') => {
    const mayBegin = state === 'ready' && begun < options.maxMessages;
    const letter = mayBegin ? pick() : undefined;
    if (!letter) {
      if (first !== '') write(first);
      return;
    }
    begun += 1;
    const mine = { letter, refusal: undefined as Refusal | undefined };
    entering = mine;
    const check = (to: 'MAIL' | 'RCPT') => (reply: Reply) => {
      if (!isFine(reply)) {
        if (reply.code < 400) return destroy(`the answer to ${to} makes no sense`);
        mine.refusal ??= refusalOf(reply, to);
      }
      if (!features.pipelining) stepOn();
    };
    const steps: [string, Handler][] = [
      [mailOf(letter), check('MAIL')],
      [`RCPT TO:<${letter.to}>\r\n`, check('RCPT')],
      ['DATA\r\n', (reply) => dataAnswered(mine, reply)],
    ];
    /** For servers that want one command at a time. */
    const stepOn = () => {
      const step = mine.refusal ? undefined : steps.shift();
      if (!step) return leave(mine);
      expected.push(step[1]);
      write(step[0]);
    };
    if (!features.pipelining) {
      const [mail, handler] = steps.shift() as [string, Handler];
      expected.push(handler);
      return write(first + mail);
    }
    for (const [, handler] of steps) expected.push(handler);
    write(first + steps.map(([text]) => text).join(''));
  };

  const wake = () => {
    if (state === 'ready' && !entering && !sent && (features.pipelining || expected.length === 0)) begin();
  };

  const proceed = (first = '') => {
    if (state !== 'ready' && state !== 'quitting') return;
    begin(first);
    if (!entering && !sent && state === 'ready' && begun >= options.maxMessages) sayGoodBye();
  };

  /** The message is refused; the server may still have an open transaction. */
  const leave = ({ letter, refusal }: { letter: Letter; refusal: Refusal | undefined }) => {
    entering = undefined;
    if (refusal) letter.settle(refusal);
    const begunAnew = (reply: Reply) => {
      if (!isFine(reply)) return destroy(`the mail server answers RSET with ${inWords(reply)}`);
      if (!features.pipelining) proceed();
    };
    if (!features.pipelining) return command('RSET', begunAnew);
    expected.push(begunAnew);
    proceed('RSET\r\n');
  };

  const dataAnswered = (mine: { letter: Letter; refusal: Refusal | undefined }, reply: Reply) => {
    if (reply.code !== 354) {
      if (reply.code < 400) return destroy('the answer to DATA makes no sense');
      mine.refusal ??= refusalOf(reply, 'DATA');
      return leave(mine);
    }
    const { letter, refusal } = mine;
    entering = undefined;
    if (refusal) {
      // RFC 2920, 3.1: it waits for the content of a message without recipients. It gets an empty one.
      letter.settle(refusal);
      expected.push(() => {});
      return proceed('.\r\n');
    }
    sent = letter;
    expected.push((last) => {
      sent = undefined;
      if (isFine(last)) letter.settle({ outcome: 'accepted', providerMessageId: letter.messageId });
      else if (last.code >= 400) letter.settle(refusalOf(last, 'DATA'));
      else letter.settle({ outcome: 'unknown', reason: 'The answer to the content makes no sense.' });
      if (last.code < 400 && !isFine(last)) return destroy('the answer to the content makes no sense');
      if (last.code === 421) return destroy(`the mail server ended with ${inWords(last)}`);
      if (!entering) proceed();
    });
    if (features.pipelining) begin(letter.data);
    else write(letter.data);
  };

  const becomeReady = () => {
    state = 'ready';
    events.ready();
    begin();
  };
  const introduce = () => {
    const name =
      options.name ?? `[${socket.localAddress?.includes(':') ? 'IPv6:' : ''}${socket.localAddress}]`;
    command(`EHLO ${name}`, (reply) => {
      if (isFine(reply)) return introduced(featuresOf(reply));
      if (reply.code < 500) return destroy(`the mail server greets with ${inWords(reply)}`);
      command(`HELO ${name}`, (older) =>
        isFine(older) ? introduced(features) : destroy(`the mail server greets with ${inWords(older)}`),
      );
    });
  };
  const introduced = (offered: Features) => {
    features = offered;
    if (!secured && options.starttls !== 'never') {
      if (features.starttls) return command('STARTTLS', secure);
      if (options.starttls === 'required') return destroy('the mail server offers no TLS');
    }
    if (options.user === undefined) return becomeReady();
    logIn({ ...options, user: options.user, offered: features.auth }, command, (fault) =>
      fault === undefined ? becomeReady() : destroy(fault),
    );
  };
  const secure = (reply: Reply) => {
    if (!isFine(reply)) return destroy(`STARTTLS was answered with ${inWords(reply)}`);
    // Plain text that arrived after this answer was injected by somebody else.
    if (!reader.isEmpty) return destroy('the mail server spoke out of turn');
    secured = true;
    reader = new ReplyReader();
    socket.removeAllListeners('data');
    socket = connectSecurely({ ...tlsOptions, socket });
    hear('secureConnect', introduce);
  };

  const tlsOptions = {
    rejectUnauthorized: options.verify,
    ca: options.ca,
    ...(/^[\d.]+$|:/.test(options.host) ? {} : { servername: options.host }),
  };
  const { host, port } = options;
  let socket: Socket = options.secure
    ? connectSecurely({ ...tlsOptions, host, port })
    : connectPlainly({ host, port });

  const take = (reply: Reply) => {
    if (state === 'over') return;
    stirredAt = performance.now();
    const handler = expected.shift();
    // 421 may come at any time, RFC 5321 3.8; it does not answer what was sent before.
    if (reply.code === 421 && !sent) return destroy(`the mail server ended with ${inWords(reply)}`);
    if (!handler) return destroy('the mail server answers to nothing');
    handler(reply);
  };
  const hear = (connected: 'connect' | 'secureConnect', then?: () => void): void => {
    socket.setNoDelay(true);
    if (then) socket.once(connected, then);
    const mine = reader;
    socket.on('data', (chunk: Buffer) => {
      if (state === 'over' || mine !== reader) return;
      if (!mine.push(chunk.toString('latin1'), take))
        destroy('the mail server sent something that is not SMTP');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    socket.on('close', () => end('the connection was closed'));
  };
  hear(options.secure ? 'secureConnect' : 'connect');
  expected.push((reply) =>
    isFine(reply) ? introduce() : destroy(`the mail server greets with ${inWords(reply)}`),
  );

  const timer = setInterval(
    () => {
      const silentMs = performance.now() - stirredAt;
      if (expected.length > 0) {
        if (silentMs >= (state === 'greeting' ? connectMs : timeoutMs))
          destroy('the mail server did not answer in time');
      } else if (state === 'ready' && silentMs >= idleMs)
        if (stays)
          // One may have begun in the meantime: the envelope of another would become its content.
          command('NOOP', wake);
        else sayGoodBye();
    },
    Math.max(10, Math.min(timeoutMs, idleMs, connectMs) / 8),
  );

  return {
    isReady: () => state === 'ready',
    wake,
    quit: () => (state === 'ready' && !entering && !sent ? sayGoodBye() : destroy('closed')),
    destroy,
  };
};
