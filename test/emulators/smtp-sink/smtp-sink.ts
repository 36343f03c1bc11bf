import { createServer, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { listenOn } from '../listen-on.ts';
import { type SmtpSinkOptions, serveClient } from './smtp-sink-connection.ts';

export type { SmtpSinkOptions };

export interface SmtpSink {
  port: number;
  url: string;
  received: { from: string; to: string[]; raw: Buffer }[];
  count: () => number;
  /** Rules that clients broke. */
  violations: string[];
  logins: { mechanism: string; secure: boolean }[];
  /** How often a command came. */
  commands: (verb: string) => number;
  /** Connections made so far, and those that are open. */
  connections: () => { made: number; open: number };
  /** Closes every connection in the middle of whatever it does. */
  drop: () => void;
  /** No new connections until it is reopened. */
  close: () => Promise<void>;
}

/**
 * A mail server on a socket that stores what it gets, and refuses what the RFCs refuse. The part before the @ or a + in
 * the recipient selects its behaviour: `refused` for good, `plain` too but without an enhanced code, `later` and `full`
 * for now, `spam` only after the content, `busy` ends with 421, `cut` hangs up before the content, `dropped` after it,
 * `deaf` never answers to the recipient, `silent` not to the content. A sender `forbidden` is not allowed.
 */
export const openSmtpSink = async (options: SmtpSinkOptions = {}): Promise<SmtpSink> => {
  const received: SmtpSink['received'] = [];
  const violations: string[] = [];
  const logins: SmtpSink['logins'] = [];
  const open = new Set<Socket>();
  const verbs = new Map<string, number>();
  let [count, made] = [0, 0];
  const serve = (socket: Socket): void => {
    made += 1;
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    serveClient(socket, options.secure !== undefined, {
      options,
      take: ({ from, to, content }) => {
        count += 1;
        if (options.totals) return;
        const plain = content.startsWith('.') ? content.slice(1) : content;
        received.push({ from, to, raw: Buffer.from(plain.replaceAll('\r\n.', '\r\n'), 'latin1') });
      },
      obeyed: (verb) => void verbs.set(verb, (verbs.get(verb) ?? 0) + 1),
      violated: (what) => void violations.push(what),
      loggedIn: (mechanism, secure) => void logins.push({ mechanism, secure }),
    });
  };
  const server = options.secure ? createSecureServer(options.secure, serve) : createServer(serve);
  const port = await listenOn(server, options.port);
  server.on('tlsClientError', () => {});
  const drop = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    port,
    url: `${options.secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    received,
    count: () => count,
    violations,
    logins,
    commands: (verb) => verbs.get(verb) ?? 0,
    connections: () => ({ made, open: open.size }),
    drop,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        drop();
      }),
  };
};
