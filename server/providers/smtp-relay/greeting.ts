import { inWords } from './answers.ts';
import type { Reply } from './reply-reader.ts';

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

export const featuresOf = ({ lines }: Reply): Features => {
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

interface Login {
  user: string;
  password: string;
  offered: string[];
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** RFC 4954. `done` gets the error, if any. */
export const logIn = (
  { user, password, offered }: Login,
  command: (text: string, answered: (reply: Reply) => void) => void,
  done: (fault?: string) => void,
) => {
  const last = (reply: Reply) => (reply.code === 235 ? done() : failed(reply));
  const failed = (reply: Reply) => done(`the login was refused with ${inWords(reply)}`);
  if (offered.includes('PLAIN')) return command(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`, last);
  if (!offered.includes('LOGIN')) return done('the mail server offers no login that we know');
  command('AUTH LOGIN', (first) => {
    if (first.code !== 334) return failed(first);
    command(base64(user), (second) =>
      second.code === 334 ? command(base64(password), last) : failed(second),
    );
  });
};
