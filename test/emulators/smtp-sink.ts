import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface Received {
  from: string;
  to: string[];
  raw: Buffer;
}

export interface SmtpSink {
  url: string;
  received: Received[];
  close: () => Promise<void>;
}

const refusal = (text: string, responseCode: number) => Object.assign(new Error(text), { responseCode });

/**
 * A mail server on a socket that keeps what it is given. Recipients `refused@…` are refused for good,
 * `later@…` for now, and `spam@…` only after the whole mail was read.
 */
export const openSmtpSink = async (): Promise<SmtpSink> => {
  const received: Received[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    logger: false,
    onRcptTo: ({ address }, _session, callback) => {
      if (address.startsWith('refused@')) return callback(refusal('no such mailbox', 550));
      if (address.startsWith('later@')) return callback(refusal('try again later', 451));
      callback();
    },
    onMailFrom: ({ address }, _session, callback) =>
      address.startsWith('forbidden@') ? callback(refusal('sender not allowed', 550)) : callback(),
    onData: (stream, { envelope }, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        if (to.some((address) => address.startsWith('spam@')))
          return callback(refusal('looks like spam', 554));
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        received.push({ from, to, raw: Buffer.concat(chunks) });
        callback();
      });
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
};
