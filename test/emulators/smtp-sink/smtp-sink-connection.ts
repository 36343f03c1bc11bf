import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket, type TlsOptions } from 'node:tls';
import { contentFault, type Envelope, isAscii, readPath } from './smtp-sink-rules.ts';

interface Received {
  from: string;
  to: string[];
  /** As it arrived, its dots still doubled, one octet per character. */
  content: string;
}

export interface SmtpSinkOptions {
  port?: number;
  pipelining?: boolean;
  /** The largest message. */
  size?: number;
  utf8?: boolean;
  /** Offered in the clear. */
  starttls?: TlsOptions;
  /** From the first octet. */
  secure?: TlsOptions;
  auth?: { user: string; password: string };
  mechanisms?: string[];
  greeting?: string;
  /** Does not know EHLO. */
  old?: boolean;
  latencyMs?: number;
  /** Counts only, and checks less closely: for benchmarks. */
  totals?: boolean;
}

interface Owner {
  options: SmtpSinkOptions;
  take: (received: Received) => void;
  obeyed: (verb: string) => void;
  /** The client broke a rule. */
  violated: (what: string) => void;
  loggedIn: (mechanism: string, secure: boolean) => void;
}

const DATA_END = '\r\n.\r\n';
const MAX_COMMAND = 2_048;
const SIZE = 50_000_000;

const base64 = (text: string): string => Buffer.from(text, 'base64').toString();

/** The part of a recipient before + or @: what the sink does with the message. */
const kindOf = (address: string): string => /^[^+@]*/.exec(address)?.[0] ?? '';

/** One client. Octets are stored as characters. */
export const serveClient = (first: Socket, secure: boolean, owner: Owner): void => {
  const { options } = owner;
  let socket: Socket = first;
  let isSecure = secure;
  let input = '';
  let output = '';
  let mode: 'command' | 'data' | 'login' | 'over' = 'command';
  let greeted = false;
  let user = options.auth === undefined;
  let mail: Envelope | undefined;
  let to: string[] = [];
  let refusedOnes = 0;
  let loginStep: (line: string) => void = () => {};

  const say = (text: string) => {
    output += `${text}\r\n`;
  };
  const flush = () => {
    if (output === '' || socket.destroyed) return;
    const text = output;
    output = '';
    if (options.latencyMs) setTimeout(() => socket.destroyed || socket.write(text), options.latencyMs);
    else socket.write(text, 'latin1');
  };
  const reset = () => {
    mail = undefined;
    to = [];
    refusedOnes = 0;
  };
  const stop = () => {
    mode = 'over';
    input = '';
  };
  const violate = (what: string, answer = '503 5.5.1 Bad sequence') => {
    owner.violated(what);
    say(answer);
  };

  const ehlo = () => {
    const auth =
      options.auth && (isSecure || !options.starttls)
        ? [`AUTH ${(options.mechanisms ?? ['PLAIN', 'LOGIN']).join(' ')}`]
        : [];
    const lines = [
      'sink.example greets you',
      ...(options.pipelining === false ? [] : ['PIPELINING']),
      ...(options.size === undefined ? [`SIZE ${SIZE}`] : [`SIZE ${options.size}`]),
      '8BITMIME',
      'ENHANCEDSTATUSCODES',
      ...(options.utf8 === false ? [] : ['SMTPUTF8']),
      ...(options.starttls && !isSecure ? ['STARTTLS'] : []),
      ...auth,
    ];
    for (const [at, line] of lines.entries()) say(`250${at === lines.length - 1 ? ' ' : '-'}${line}`);
  };

  const startTls = (settings: TlsOptions) => {
    if (input !== '') {
      owner.violated('more came behind STARTTLS');
      return void socket.destroy();
    }
    say('220 2.0.0 Go ahead');
    flush();
    socket.removeAllListeners('data');
    socket = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(settings) });
    isSecure = true;
    greeted = false;
    listen();
  };

  const finishLogin = (given: { user: string; password: string }, mechanism: string) => {
    mode = 'command';
    user = given.user === options.auth?.user && given.password === options.auth.password;
    if (user) owner.loggedIn(mechanism, isSecure);
    say(user ? '235 2.7.0 Welcome' : '535 5.7.8 Wrong user or password');
  };
  const plain = (line: string) => {
    const [, name = '', password = ''] = base64(line).split('\0');
    finishLogin({ user: name, password }, 'PLAIN');
  };
  const logIn = (rest: string) => {
    const [mechanism = '', initial] = rest.split(' ');
    if (!options.auth || !(options.mechanisms ?? ['PLAIN', 'LOGIN']).includes(mechanism))
      return say('504 5.5.4 Unknown');
    if (mechanism === 'PLAIN') {
      if (initial !== undefined) return plain(initial);
      mode = 'login';
      loginStep = plain;
      return say('334 ');
    }
    mode = 'login';
    loginStep = (name) => {
      loginStep = (password) => finishLogin({ user: base64(name), password: base64(password) }, 'LOGIN');
      say('334 UGFzc3dvcmQ6');
    };
    say('334 VXNlcm5hbWU6');
  };

  const mailFrom = (rest: string) => {
    if (!greeted || mail) return violate('MAIL out of turn');
    if (!user) return say('530 5.7.0 Log in first');
    const read = readPath('FROM', rest);
    if (!read) return violate(`MAIL is misspelled: ${rest}`, '501 5.5.4 Syntax');
    for (const name of read.parameters.keys())
      if (!['SIZE', 'BODY', 'SMTPUTF8'].includes(name))
        return violate(`MAIL with ${name}`, '555 5.5.4 Unknown');
    if (Number(read.parameters.get('SIZE') ?? 0) > (options.size || SIZE)) return say('552 5.3.4 Too large');
    if (kindOf(read.address) === 'forbidden') return say('550 5.7.1 Sender not allowed');
    mail = read;
    say('250 2.1.0 OK');
  };
  const rcptTo = (rest: string) => {
    if (!mail) return say('503 5.5.1 MAIL first');
    const read = readPath('TO', rest);
    if (!read || read.address === '') return violate(`RCPT is misspelled: ${rest}`, '501 5.5.4 Syntax');
    if (!isAscii(read.address) && !mail.parameters.has('SMTPUTF8')) return say('553 5.6.7 Not ASCII');
    refusedOnes += 1;
    switch (kindOf(read.address)) {
      case 'refused':
        return say('550 5.1.1 no such mailbox');
      case 'later':
        return say('451 4.7.1 try again later');
      case 'plain':
        return say('550 go away');
      case 'busy':
        say('421 4.3.2 closing');
        flush();
        socket.end();
        return stop();
      case 'cut':
        socket.destroy();
        return stop();
      case 'deaf':
        return stop();
      default:
        refusedOnes -= 1;
        to.push(Buffer.from(read.address, 'latin1').toString());
        say('250 2.1.5 OK');
    }
  };
  const data = () => {
    if (!mail) return say('503 5.5.1 MAIL first');
    if (to.length === 0)
      return say(refusedOnes > 0 ? '554 5.5.1 No valid recipients' : '503 5.5.1 RCPT first');
    if (input !== '') return violate('content came before it was asked for', '554 5.5.0 Too early');
    mode = 'data';
    say('354 Go ahead');
  };

  const finish = (stuffed: string) => {
    const envelope = mail as Envelope;
    const recipients = to;
    mode = 'command';
    reset();
    const utf8 = envelope.parameters.has('SMTPUTF8');
    const eightBit = envelope.parameters.get('BODY')?.toUpperCase() === '8BITMIME';
    const fault = contentFault(stuffed, { utf8, eightBit, quick: options.totals === true });
    if (fault) {
      owner.violated(fault);
      return say(`554 ${fault}`);
    }
    const kind = kindOf(recipients[0] ?? '');
    if (kind === 'spam') return say('554 5.7.1 looks like spam');
    if (kind === 'full') return say('452 4.2.2 mailbox full');
    owner.take({ from: envelope.address, to: recipients, content: stuffed });
    if (kind === 'silent') return stop();
    if (kind === 'dropped') {
      socket.destroy();
      return stop();
    }
    say('250 2.0.0 Taken');
  };

  const obey = (line: string) => {
    if (/[\r\n]/.test(line)) return violate('a CR or an LF alone in a command', '500 5.5.2 Line ends');
    const [, verb = '', rest = ''] = /^(\S+)(?: (.*))?$/.exec(line) ?? [];
    owner.obeyed(verb.toUpperCase());
    switch (verb.toUpperCase()) {
      case 'EHLO':
      case 'HELO':
        if (rest.trim() === '') return violate('EHLO without a name', '501 5.5.4 Who?');
        greeted = true;
        reset();
        return verb.toUpperCase() === 'EHLO' && !options.old
          ? ehlo()
          : say(options.old && verb.toUpperCase() === 'EHLO' ? '502 Unknown' : '250 sink.example');
      case 'STARTTLS':
        return options.starttls && !isSecure ? startTls(options.starttls) : say('502 5.5.1 No');
      case 'AUTH':
        return logIn(rest);
      case 'MAIL':
        return mailFrom(rest);
      case 'RCPT':
        return rcptTo(rest);
      case 'DATA':
        return data();
      case 'RSET':
        reset();
        return say('250 2.0.0 OK');
      case 'NOOP':
        return say('250 2.0.0 OK');
      case 'QUIT':
        say('221 2.0.0 Bye');
        flush();
        socket.end();
        return stop();
      default:
        return violate(`the command ${verb}`, '500 5.5.2 Unknown');
    }
  };

  const nextCommand = (): boolean => {
    const end = input.indexOf('\r\n');
    if (end < 0) {
      if (input.length > MAX_COMMAND) socket.destroy();
      return false;
    }
    const line = input.slice(0, end);
    input = input.slice(end + 2);
    if (options.pipelining === false && input !== '') owner.violated('commands together, without PIPELINING');
    if (mode === 'login') loginStep(line);
    else obey(line);
    return true;
  };
  const nextContent = (): boolean => {
    if (input.startsWith('.\r\n')) {
      input = input.slice(3);
      finish('');
      return true;
    }
    const end = input.indexOf(DATA_END);
    if (end < 0) return false;
    const content = input.slice(0, end + 2);
    input = input.slice(end + DATA_END.length);
    finish(content);
    return true;
  };

  const isOpen = (): boolean => mode !== 'over';
  const listen = () => {
    socket.on('data', (chunk: Buffer) => {
      if (mode === 'over') return;
      input += chunk.toString('latin1');
      while (isOpen() && (mode === 'data' ? nextContent() : nextCommand()));
      flush();
    });
    socket.on('error', () => {});
  };
  socket.setNoDelay(true);
  listen();
  say(options.greeting ?? '220 sink.example ESMTP');
  flush();
};
