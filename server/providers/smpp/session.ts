import { connect as connectPlainly, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { COMMAND, MAX_SEQUENCE } from './codec/commands.ts';
import { type ReceivedMessage, readMessage } from './codec/message-reader.ts';
import { type PduHandler, PduReader, readMessageId, readQueried } from './codec/pdu-reader.ts';
import { type Address, type MessageFields, PduWriter, type QueriedFields } from './codec/pdu-writer.ts';
import { refusalOf, STATUS, statusName } from './codec/statuses.ts';
import type { SmppOptions } from './smpp-options.ts';
import { openSubmits, type Settle } from './submits.ts';

interface SessionEvents {
  bound: () => void;
  /** Each status with which a submit was answered. */
  answered: (status: number) => void;
  /** Some were answered: there is room for more. */
  room: () => void;
  /** The answers of some are overdue: others may be handed over in their place. */
  overdue: () => void;
  /** Resolves once it is stored: only then is it acknowledged. */
  deliver: (message: ReceivedMessage) => Promise<void>;
  /** Once, however it ended. */
  over: (reason: string) => void;
}

/** The answer to a query; a text says why there is none. */
export type Queried = QueriedFields | string;

/** One connection, from the first packet to the last. */
export interface Session {
  /** Those that hold a place in the window. */
  inFlight: () => number;
  /** Those whose answer is overdue; it is still waited for. */
  overdue: () => number;
  isBound: () => boolean;
  submit: (fields: MessageFields, settle: Settle) => void;
  /** What became of a message, by the far end's id. */
  query: (messageId: string, source: Address) => Promise<Queried>;
  /** Unbinds, and waits this long for the answer. */
  unbind: (timeoutMs: number) => Promise<void>;
  destroy: (reason: string) => void;
}

/** Beyond this the far end has to come again, because what waits to be stored is kept in memory. */
const MAX_DELIVERING = 10_000;
const connect = ({ host, port, tls }: SmppOptions): Socket =>
  tls
    ? connectSecurely({ host, port, rejectUnauthorized: tls.verify, ca: tls.ca })
    : connectPlainly({ host, port });

export const openSession = (options: SmppOptions, events: SessionEvents): Session => {
  const { timeoutMs, enquireLinkMs } = options;
  const writer = new PduWriter();
  const reader = new PduReader();
  const submits = openSubmits(options, { room: events.room, overdue: events.overdue });
  const queries = new Map<number, (answer: Queried) => void>();
  const begunAt = performance.now();
  let state: 'connecting' | 'binding' | 'bound' | 'unbinding' | 'over' = 'connecting';
  let sequence = 0;
  let heard = false;
  let heardAt = begunAt;
  let askedAt: number | undefined;
  let delivering = 0;
  let flushing = false;
  let bindSequence = 0;

  const socket = connect(options);
  socket.setNoDelay(true);

  const nextSequence = (): number => {
    sequence = sequence >= MAX_SEQUENCE ? 1 : sequence + 1;
    return sequence;
  };

  const flush = (): void => {
    flushing = false;
    if (state !== 'over' && !writer.isEmpty) socket.write(writer.take());
  };
  /** What is written within one turn of the event loop is sent together. */
  const flushSoon = (): void => {
    if (flushing) return;
    flushing = true;
    setImmediate(flush);
  };

  const end = (reason: string): void => {
    if (state === 'over') return;
    state = 'over';
    clearInterval(timer);
    submits.end(`The connection ended before the answer: ${reason}.`);
    for (const settle of queries.values()) settle(`The connection ended before the answer: ${reason}.`);
    queries.clear();
    events.over(reason);
  };
  const destroy = (reason: string): void => {
    flush();
    socket.destroy();
    end(reason);
  };

  const bindAnswered = (status: number) => {
    if (state !== 'binding') return;
    if (status !== STATUS.ok) return destroy(`the bind was refused with ${statusName(status)}`);
    state = 'bound';
    events.bound();
  };

  const submitAnswered = (status: number, number: number, messageId: () => string): void => {
    const settle = submits.answered(number);
    if (!settle) return;
    events.answered(status);
    settle(
      status === STATUS.ok ? { outcome: 'accepted', providerMessageId: messageId() } : refusalOf(status),
    );
  };

  const queryAnswered = (status: number, number: number, read: () => QueriedFields | undefined): void => {
    const settle = queries.get(number);
    queries.delete(number);
    if (status === STATUS.ok) settle?.(read() ?? 'The answer could not be read.');
    else settle?.(`The message centre answered ${statusName(status)}.`);
  };

  const acknowledge = (number: number, status: number): void => {
    if (state === 'over') return;
    if (status === STATUS.ok) writer.answer(COMMAND.deliverSmResp, number, '');
    else writer.plain(COMMAND.deliverSmResp, status, number);
    flushSoon();
  };
  const delivered = (number: number, message: ReceivedMessage | undefined) => {
    if (!message) return acknowledge(number, STATUS.invalidLength);
    if (state !== 'bound' && state !== 'unbinding') return acknowledge(number, STATUS.invalidBindState);
    if (delivering >= MAX_DELIVERING) return acknowledge(number, STATUS.temporaryError);
    delivering += 1;
    events
      .deliver(message)
      .then(
        () => STATUS.ok,
        () => STATUS.temporaryError,
      )
      .then((status) => {
        delivering -= 1;
        acknowledge(number, status);
      });
  };

  const handle: PduHandler = (command, status, number, block, start, stop) => {
    switch (command) {
      case COMMAND.submitSmResp:
        return submitAnswered(status, number, () => readMessageId(block, start, stop));
      case COMMAND.querySmResp:
        return queryAnswered(status, number, () => readQueried(block, start, stop));
      case COMMAND.deliverSm:
        return delivered(number, readMessage(block, start, stop));
      case COMMAND.enquireLink:
        writer.plain(COMMAND.enquireLinkResp, STATUS.ok, number);
        return flushSoon();
      case COMMAND.bindTransceiverResp:
        return bindAnswered(status);
      case COMMAND.genericNack:
        if (state === 'binding' && (number === bindSequence || number === 0))
          return bindAnswered(status || STATUS.invalidCommand);
        if (queries.has(number))
          return queryAnswered(status || STATUS.invalidCommand, number, () => undefined);
        return submitAnswered(status || STATUS.invalidCommand, number, () => '');
      case COMMAND.unbind:
        writer.plain(COMMAND.unbindResp, STATUS.ok, number);
        flush();
        socket.end();
        return end('the message centre ended the bind');
      case COMMAND.unbindResp:
        return destroy('unbound');
      default:
        // An answer to nothing is ignored; an unknown request gets an answer, because the far end waits for one.
        if (command >= COMMAND.genericNack) return;
        writer.plain(COMMAND.genericNack, STATUS.invalidCommand, number);
        return flushSoon();
    }
  };

  /** Only a whole PDU is a sign of life: octets may arrive forever in the middle of one. */
  const hear: PduHandler = (command, status, number, block, start, stop) => {
    if (state === 'over') return;
    heard = true;
    handle(command, status, number, block, start, stop);
  };
  socket.on('data', (chunk: Buffer) => {
    if (state === 'over') return;
    const before = submits.inFlight();
    const readable = reader.push(chunk, hear);
    if (!readable) {
      writer.plain(COMMAND.genericNack, STATUS.invalidCommandLength, 0);
      return destroy('the message centre sent something that is not SMPP');
    }
    if (submits.inFlight() < before) events.room();
  });
  socket.on(options.tls ? 'secureConnect' : 'connect', () => {
    if (state !== 'connecting') return;
    state = 'binding';
    bindSequence = nextSequence();
    writer.bindTransceiver(bindSequence, options);
    flush();
  });
  socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  socket.on('close', () => end('the connection was closed'));

  const askWhetherAlive = (now: number): void => {
    if (heard) {
      heard = false;
      heardAt = now;
      askedAt = undefined;
    }
    if (askedAt !== undefined) {
      if (now - askedAt >= timeoutMs) destroy('the message centre is silent');
      return;
    }
    if (now - heardAt < enquireLinkMs) return;
    askedAt = now;
    writer.plain(COMMAND.enquireLink, STATUS.ok, nextSequence());
    flushSoon();
  };
  const timer = setInterval(
    () => {
      const now = performance.now();
      if (state === 'connecting' || state === 'binding') {
        if (now - begunAt >= timeoutMs) destroy('the message centre did not answer the bind in time');
        return;
      }
      submits.expire(now);
      askWhetherAlive(now);
    },
    Math.max(10, Math.min(timeoutMs, enquireLinkMs) / 8),
  );

  return {
    inFlight: submits.inFlight,
    overdue: submits.overdue,
    isBound: () => state === 'bound',
    submit: (fields, settle) => {
      const number = nextSequence();
      submits.add(number, settle);
      writer.message(COMMAND.submitSm, number, fields);
      flushSoon();
    },
    query: (messageId, source) =>
      new Promise((resolve) => {
        if (state !== 'bound') return resolve('There is no connection to the message centre.');
        const number = nextSequence();
        queries.set(number, resolve);
        setTimeout(() => {
          if (queries.delete(number)) resolve('The message centre did not answer in time.');
        }, timeoutMs).unref();
        writer.query(number, messageId, source);
        flushSoon();
      }),
    unbind: async (waitMs) => {
      if (state !== 'bound') return destroy('closed');
      state = 'unbinding';
      writer.plain(COMMAND.unbind, STATUS.ok, nextSequence());
      flush();
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, waitMs);
        socket.once('close', () => {
          clearTimeout(late);
          resolve();
        });
      });
      destroy('closed');
    },
    destroy,
  };
};
