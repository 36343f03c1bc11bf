import type { Socket } from 'node:net';
import {
  COMMAND,
  type PduHandler,
  PduReader,
  PduWriter,
  readSmppMessage,
  type SmppMessage,
} from '../../../server/providers/smpp/testing/codec.ts';
import type { SmscBehaviour } from './smsc-behaviour.ts';
import type { Carriage, Deliveries } from './smsc-deliveries.ts';

export interface Connection extends Carriage {
  drop: () => void;
  write: (octets: Buffer) => void;
}

/** A text that ends with a zero octet, or undefined when no such octet comes before `end`. */
const readText = (block: Buffer, start: number, end: number): string | undefined => {
  const zero = block.indexOf(0, start);
  return zero === -1 || zero >= end ? undefined : block.toString('latin1', start, zero);
};

/** The outcome of a submit. */
export type Verdict =
  | { status: number }
  | { id: string; before?: () => void; after?: () => void }
  | 'silent'
  | 'drop';

interface ConnectionContext {
  behaviour: SmscBehaviour;
  credentials: { systemId: string; password: string };
  deliveries: Deliveries;
  judge: (message: SmppMessage | undefined, unanswered: number, carriage: Carriage) => Verdict;
  /** The message_state of what was accepted under this id. */
  stateOf: (id: string) => number | undefined;
  /** So many more submits, or fewer, have an answer that is still to be sent. */
  working: (more: number) => void;
  bound: () => void;
  closed: () => void;
}

const STATUS = {
  badCommandLength: 2,
  badCommand: 3,
  badBindState: 4,
  badPassword: 0x0e,
  badSystemId: 0x0f,
  queryFailed: 0x67,
};

/** One client's connection: reads its requests, and answers those of one read together. */
export const serve = (socket: Socket, context: ConnectionContext): Connection => {
  const { behaviour, credentials, deliveries } = context;
  const reader = new PduReader();
  const writer = new PduWriter();
  let isBound = false;
  let answers = 0;
  let unanswered = 0;
  let reading = false;
  let scheduled = false;

  const flush = (): void => {
    scheduled = false;
    if (writer.isEmpty || socket.destroyed) return;
    const [octets, count] = [writer.take(), answers];
    answers = 0;
    const send = () => {
      unanswered -= count;
      context.working(-count);
      if (!socket.destroyed) socket.write(octets);
    };
    if (behaviour.latencyMs > 0) setTimeout(send, behaviour.latencyMs);
    else send();
  };
  const flushSoon = (): void => {
    if (reading || scheduled) return;
    scheduled = true;
    setImmediate(flush);
  };

  const bind = (sequence: number, systemId: string | undefined, password: string | undefined) => {
    const status =
      behaviour.bindStatus ||
      (isBound ? STATUS.badBindState : 0) ||
      (systemId === credentials.systemId ? 0 : STATUS.badSystemId) ||
      (password === credentials.password ? 0 : STATUS.badPassword);
    if (status !== 0) return writer.plain(COMMAND.bindTransceiverResp, status, sequence);
    isBound = true;
    writer.answer(COMMAND.bindTransceiverResp, sequence, 'smsc');
    context.bound();
    setImmediate(() => {
      if (!socket.destroyed) deliveries.joined(connection);
    });
  };

  const submit = (sequence: number, message: SmppMessage | undefined) => {
    if (!isBound) return writer.plain(COMMAND.submitSmResp, STATUS.badBindState, sequence);
    unanswered += 1;
    const verdict = context.judge(message, unanswered, connection);
    if (verdict === 'drop') return void socket.destroy();
    if (verdict === 'silent' || behaviour.hang !== 'never') return;
    answers += 1;
    context.working(1);
    if ('status' in verdict) return writer.plain(COMMAND.submitSmResp, verdict.status, sequence);
    verdict.before?.();
    writer.answer(COMMAND.submitSmResp, sequence, verdict.id);
    verdict.after?.();
  };

  const handle: PduHandler = (command, status, sequence, block, start, end) => {
    if (behaviour.hang === 'everything') return;
    switch (command) {
      case COMMAND.submitSm:
        return submit(sequence, readSmppMessage(block, start, end));
      case COMMAND.querySm: {
        const messageId = readText(block, start, end) ?? '';
        const state = context.stateOf(messageId);
        if (state === undefined) return writer.plain(COMMAND.querySmResp, STATUS.queryFailed, sequence);
        return writer.queried(sequence, { messageId, finalDate: '', state, error: 0 });
      }
      case COMMAND.deliverSmResp:
        return deliveries.answered(connection, sequence, status);
      case COMMAND.enquireLink:
        return writer.plain(COMMAND.enquireLinkResp, 0, sequence);
      case COMMAND.bindTransceiver: {
        const systemId = readText(block, start, end);
        return bind(sequence, systemId, readText(block, start + (systemId?.length ?? 0) + 1, end));
      }
      case COMMAND.unbind:
        writer.plain(COMMAND.unbindResp, 0, sequence);
        isBound = false;
        return void setImmediate(() => socket.end());
      default:
        if (command < COMMAND.genericNack) writer.plain(COMMAND.genericNack, STATUS.badCommand, sequence);
    }
  };

  const connection: Connection = {
    deliver: (sequence, fields) => {
      writer.message(COMMAND.deliverSm, sequence, fields);
      flushSoon();
    },
    drop: () => void socket.destroy(),
    write: (octets) => void socket.write(octets),
  };

  socket.setNoDelay(true);
  socket.on('data', (chunk: Buffer) => {
    reading = true;
    const readable = reader.push(chunk, handle);
    reading = false;
    if (!readable) {
      writer.plain(COMMAND.genericNack, STATUS.badCommandLength, 0);
      flush();
      socket.end();
      return;
    }
    flush();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    deliveries.left(connection);
    context.closed();
  });
  return connection;
};
