import { connect as connectPlainly, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { COMMAND, MAX_SEQUENCE } from '../codec/commands.ts';
import { type MessageFields, PduWriter, type SmppAddress } from '../codec/pdu-writer.ts';
import { STATUS } from '../codec/statuses.ts';
import type { SmppOptions } from '../smpp-options.ts';

interface LinkEvents {
  connected: () => void;
  octets: (chunk: Buffer) => void;
  /** It may be told more than once: the first reason counts. */
  ended: (reason: string) => void;
}

const connect = ({ host, port, tls }: SmppOptions): Socket =>
  tls
    ? connectSecurely({ host, port, rejectUnauthorized: tls.verify, ca: tls.ca })
    : connectPlainly({ host, port });

const closed = (socket: Socket, waitMs: number): Promise<void> =>
  new Promise((resolve) => {
    const late = setTimeout(resolve, waitMs);
    socket.once('close', () => {
      clearTimeout(late);
      resolve();
    });
  });

/** The connection of a session, and what is written to it: what one turn of the event loop writes is sent together. */
export const openLink = (options: SmppOptions, events: LinkEvents) => {
  const writer = new PduWriter();
  const socket = connect(options);
  let sequence = 0;
  let flushing = false;
  let isOver = false;

  const flush = (): void => {
    flushing = false;
    if (!isOver && !writer.isEmpty) socket.write(writer.take());
  };
  const flushSoon = (): void => {
    if (flushing) return;
    flushing = true;
    setImmediate(flush);
  };
  const ended = (reason: string): void => {
    isOver = true;
    events.ended(reason);
  };
  socket.setNoDelay(true);
  socket.on('data', events.octets);
  socket.on(options.tls ? 'secureConnect' : 'connect', events.connected);
  socket.on('error', (error: NodeJS.ErrnoException) => ended(error.code ?? error.message));
  socket.on('close', () => ended('the connection was closed'));

  return {
    nextSequence: (): number => {
      sequence = sequence >= MAX_SEQUENCE ? 1 : sequence + 1;
      return sequence;
    },
    flush,
    bind: (number: number): void => {
      writer.bindTransceiver(number, options);
      flush();
    },
    submit: (number: number, fields: MessageFields): void => {
      writer.message(COMMAND.submitSm, number, fields);
      flushSoon();
    },
    query: (number: number, messageId: string, source: SmppAddress): void => {
      writer.query(number, messageId, source);
      flushSoon();
    },
    /** A PDU without a body. */
    plain: (command: number, status: number, number: number): void => {
      writer.plain(command, status, number);
      flushSoon();
    },
    acknowledge: (number: number, status: number): void => {
      if (isOver) return;
      if (status === STATUS.ok) writer.answer(COMMAND.deliverSmResp, number, '');
      else writer.plain(COMMAND.deliverSmResp, status, number);
      flushSoon();
    },
    /** Sends what was written, and nothing after it. */
    end: (): void => {
      flush();
      isOver = true;
      socket.end();
    },
    destroy: (): void => {
      flush();
      isOver = true;
      socket.destroy();
    },
    /** Resolves once it is closed, or after this long. */
    closed: (waitMs: number): Promise<void> => closed(socket, waitMs),
  };
};
export type Link = ReturnType<typeof openLink>;
