import { connect as connectPlainly, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { RelayOptions } from '../relay-options.ts';
import { ReplyReader, type SmtpReply } from './reply-reader.ts';

interface ConnectionEvents {
  reply: (reply: SmtpReply) => void;
  /** It may be told more than once: the first reason counts. */
  ended: (reason: string) => void;
}

interface Connection {
  write: (text: string) => void;
  /** Goes on with TLS; false if the mail server has said something that nobody asked for. */
  secure: (secured: () => void) => boolean;
  /** Our own address, as EHLO names it. */
  address: () => string;
  end: () => void;
  destroy: () => void;
}

/** The octets of a session: cut into replies, in plain text or with TLS. */
export const openConnection = (
  { host, port, secure, verify, ca }: RelayOptions,
  events: ConnectionEvents,
): Connection => {
  const tlsOptions = {
    rejectUnauthorized: verify,
    ca,
    ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
  };
  let socket: Socket = secure
    ? connectSecurely({ ...tlsOptions, host, port })
    : connectPlainly({ host, port });
  let reader = new ReplyReader();

  const hear = (): void => {
    socket.setNoDelay(true);
    const mine = reader;
    socket.on('data', (chunk: Buffer) => {
      if (mine !== reader || mine.push(chunk.toString('latin1'), events.reply)) return;
      socket.destroy();
      events.ended('the mail server sent something that is not SMTP');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => events.ended(error.code ?? error.message));
    socket.on('close', () => events.ended('the connection was closed'));
  };
  hear();

  return {
    write: (text) => socket.write(text, 'latin1'),
    secure: (secured) => {
      // Plain text that arrived after the answer to STARTTLS was injected by somebody else.
      if (!reader.isEmpty) return false;
      reader = new ReplyReader();
      socket.removeAllListeners('data');
      socket = connectSecurely({ ...tlsOptions, socket });
      hear();
      socket.once('secureConnect', secured);
      return true;
    },
    address: () => `[${socket.localAddress?.includes(':') ? 'IPv6:' : ''}${socket.localAddress}]`,
    end: () => socket.end(),
    destroy: () => socket.destroy(),
  };
};
