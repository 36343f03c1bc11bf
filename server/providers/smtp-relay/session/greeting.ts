import { inWords, isFine } from '../answers.ts';
import type { RelayOptions } from '../relay-options.ts';
import type { SmtpReply } from './reply-reader.ts';

/** What a mail server can do, as its answer to EHLO says. */
export interface Features {
  pipelining: boolean;
  /** The largest message it takes; 0 without a limit, -1 if it does not speak of sizes. */
  size: number;
  utf8: boolean;
  starttls: boolean;
  auth: string[];
}

export const NO_FEATURES: Features = { pipelining: false, size: -1, utf8: false, starttls: false, auth: [] };

export const featuresOf = ({ lines }: SmtpReply): Features => {
  const words = new Map(
    lines.slice(1).map((line) => {
      const [name = '', ...rest] = line.trim().toUpperCase().split(/[ =]+/);
      return [name, rest];
    }),
  );
  const size = words.get('SIZE');
  return {
    pipelining: words.has('PIPELINING'),
    size: size === undefined ? -1 : /^\d{1,15}$/.test(size[0] ?? '') ? Number(size[0]) : 0,
    utf8: words.has('SMTPUTF8') && words.has('8BITMIME'),
    starttls: words.has('STARTTLS'),
    auth: words.get('AUTH') ?? [],
  };
};

/** What is asked before messages may be sent. */
const GREETING = ['banner', 'EHLO', 'HELO', 'STARTTLS', 'AUTH LOGIN', 'user', 'login'] as const;
export type GreetingAsked = (typeof GREETING)[number];
export const isOfGreeting = (asked: string): asked is GreetingAsked =>
  (GREETING as readonly string[]).includes(asked);

/** What follows an answer. */
type GreetingStep =
  | { next: 'ask'; text: string; asked: GreetingAsked }
  | { next: 'secure' }
  | { next: 'ready' }
  | { next: 'fail'; reason: string };

interface Greeting {
  /** Of us. */
  name: string;
  options: Pick<RelayOptions, 'starttls' | 'user' | 'password'>;
  /** Whether TLS is spoken already. */
  secured: boolean;
  /** With what this answer says, if it answers EHLO. */
  features: Features;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const ask = (text: string, asked: GreetingAsked): GreetingStep => ({ next: 'ask', text, asked });
const fail = (reason: string): GreetingStep => ({ next: 'fail', reason });

export const hello = (name: string): GreetingStep => ask(`EHLO ${name}`, 'EHLO');

/** RFC 4954. */
const authenticate = ({ user, password }: Greeting['options'], { auth }: Features): GreetingStep => {
  if (auth.includes('PLAIN')) return ask(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`, 'login');
  return auth.includes('LOGIN')
    ? ask('AUTH LOGIN', 'AUTH LOGIN')
    : fail('the mail server offers no login that we know');
};

const introduced = ({ options, secured, features }: Greeting): GreetingStep => {
  if (!secured && options.starttls !== 'never') {
    if (features.starttls) return ask('STARTTLS', 'STARTTLS');
    if (options.starttls === 'required') return fail('the mail server offers no TLS');
  }
  return options.user === undefined ? { next: 'ready' } : authenticate(options, features);
};

/** From the first answer to the last before messages: the banner, EHLO, TLS, EHLO again, and the login. */
export const nextGreeting = (asked: GreetingAsked, reply: SmtpReply, greeting: Greeting): GreetingStep => {
  const { name, options } = greeting;
  const notGreeted = () => fail(`the mail server greets with ${inWords(reply)}`);
  const refused = () => fail(`the login was refused with ${inWords(reply)}`);
  switch (asked) {
    case 'banner':
      return isFine(reply) ? hello(name) : notGreeted();
    case 'EHLO':
      if (isFine(reply)) return introduced(greeting);
      return reply.code < 500 ? notGreeted() : ask(`HELO ${name}`, 'HELO');
    case 'HELO':
      return isFine(reply) ? introduced(greeting) : notGreeted();
    case 'STARTTLS':
      return isFine(reply) ? { next: 'secure' } : fail(`STARTTLS was answered with ${inWords(reply)}`);
    case 'AUTH LOGIN':
      return reply.code === 334 ? ask(base64(options.user ?? ''), 'user') : refused();
    case 'user':
      return reply.code === 334 ? ask(base64(options.password), 'login') : refused();
    case 'login':
      return reply.code === 235 ? { next: 'ready' } : refused();
  }
};
