import type { Readable } from 'node:stream';
import { SMTPServer } from 'smtp-server';
import type { Receipt } from '../../traffic/lanes/index.ts';
import { type BounceKey, readBounceAddress } from './bounce-address.ts';
import { isPassedOn } from './is-passed-on.ts';
import { readBounce } from './read-bounce.ts';

interface BounceReceiverOptions extends BounceKey {
  host: string;
  /** 0 for any that is free. */
  port: number;
  /** Whether the mail server that we send by is at this address: only its word gives money back. */
  isRelay: (address: string) => Promise<boolean>;
}

export interface BounceReceiver {
  port: number;
  close: (timeoutMs: number) => Promise<void>;
}

/** A bounce may contain the whole message; the report comes before it. */
const READ_OCTETS = 256 * 1024;
const MAX_OCTETS = 25 * 1024 * 1024;
const MAX_CLIENTS = 100;
const MAX_RECIPIENTS = 100;
const SILENT_MS = 60_000;
const CLOSE_MS = 1_000;

const answer = (responseCode: number, text: string): Error =>
  Object.assign(new Error(text), { responseCode });

/** Of what is read to its end. */
const readBegin = (stream: Readable, done: (begin: Buffer) => void): void => {
  const chunks: Buffer[] = [];
  let octets = 0;
  stream.on('data', (chunk: Buffer) => {
    if (octets < READ_OCTETS) chunks.push(chunk.subarray(0, READ_OCTETS - octets));
    octets += chunk.length;
  });
  stream.on('end', () => done(Buffer.concat(chunks)));
};

/**
 * A mail server that accepts mail only for our own bounce addresses. It accepts a mail only after its report is stored;
 * until then the sender keeps it and tries again.
 */
export const openBounceReceiver = async (
  { host, port, isRelay, ...ours }: BounceReceiverOptions,
  store: (receipt: Receipt) => Promise<void>,
): Promise<BounceReceiver> => {
  const take = async (addresses: string[], raw: Buffer, from: string): Promise<void> => {
    const bounce = await readBounce(raw);
    if (!bounce) return;
    // A recipient sees the address too, and may write to it whatever it likes, also by way of our mail server.
    const proof = (await isRelay(from)) && !isPassedOn(raw) ? {} : { unproven: true as const };
    for (const address of addresses) {
      const messageId = readBounceAddress(ours, address);
      if (!messageId) continue;
      await store({
        ...bounce,
        ...proof,
        providerMessageId: `${messageId}@${ours.domain}`,
        messageId,
        at: new Date(),
      });
    }
  };

  const server = new SMTPServer({
    name: ours.domain,
    banner: 'bounces',
    size: MAX_OCTETS,
    maxClients: MAX_CLIENTS,
    socketTimeout: SILENT_MS,
    closeTimeout: CLOSE_MS,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onRcptTo: ({ address }, { envelope }, callback) => {
      if (!readBounceAddress(ours, address))
        return callback(answer(550, '5.1.1 There is no such mailbox here'));
      if (envelope.rcptTo.length >= MAX_RECIPIENTS) return callback(answer(452, '4.5.3 Too many recipients'));
      callback();
    },
    onData: (stream, { envelope, remoteAddress }, callback) => {
      readBegin(stream, (raw) => {
        if (stream.sizeExceeded) return callback(answer(552, '5.3.4 The message is too large'));
        const addresses = envelope.rcptTo.map(({ address }) => address);
        take(addresses, raw, remoteAddress).then(
          () => callback(),
          () => callback(answer(451, '4.3.0 It could not be stored, please try again')),
        );
      });
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(`Bounces can't be received on port ${port}: ${error.code ?? error.message}`)),
    );
    server.listen(port, host, resolve);
  });
  // Of single connections: nothing that concerns the others.
  server.on('error', () => {});
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: (timeoutMs) =>
      new Promise((resolve) => {
        const late = setTimeout(resolve, timeoutMs);
        server.close(() => {
          clearTimeout(late);
          resolve();
        });
      }),
  };
};
