import type { SmppMessage } from '../codec/message-reader.ts';
import { readSmppMessage } from '../codec/message-reader.ts';
import { readMessageId, readQueried } from '../codec/pdu-reader.ts';
import type { MessageFields, SmppAddress } from '../codec/pdu-writer.ts';
import { STATUS, statusRefusal } from '../codec/statuses.ts';
import type { SmppOptions } from '../smpp-options.ts';
import { openDeliveries } from './deliveries.ts';
import type { Link } from './link.ts';
import { openQueries, type Queried } from './queries.ts';
import type { Mode } from './session-steps.ts';
import { openSubmits, type Settle } from './submits.ts';

export interface ExchangeEvents {
  /** Each status with which a submit was answered. */
  answered: (status: number) => void;
  /** Some were answered: there is room for more. */
  room: () => void;
  /** The answers of some are overdue: others may be handed over in their place. */
  overdue: () => void;
  /** Resolves once it is stored: only then is it acknowledged. */
  deliver: (message: SmppMessage) => Promise<void>;
}

/** What the two ends ask each other over a session: submits and queries of ours, deliveries of theirs. */
export const openExchange = (options: SmppOptions, link: Link, events: ExchangeEvents) => {
  const submits = openSubmits(options, events);
  const queries = openQueries(options.timeoutMs);
  const deliver = openDeliveries({ deliver: events.deliver, acknowledge: link.acknowledge });

  const submitAnswered = (status: number, number: number, messageId: string): void => {
    const settle = submits.answered(number);
    if (!settle) return;
    events.answered(status);
    settle(
      status === STATUS.ok ? { outcome: 'accepted', providerMessageId: messageId } : statusRefusal(status),
    );
  };
  return {
    inFlight: submits.inFlight,
    overdue: submits.overdue,
    expire: submits.expire,
    submit: (fields: MessageFields, settle: Settle): void => {
      const number = link.nextSequence();
      submits.add(number, settle);
      link.submit(number, fields);
    },
    query: (messageId: string, source: SmppAddress): Promise<Queried> => {
      const number = link.nextSequence();
      link.query(number, messageId, source);
      return queries.add(number);
    },
    isQuery: queries.isWaiting,
    submitNacked: (status: number, number: number): void => submitAnswered(status, number, ''),
    queryNacked: (status: number, number: number): void => queries.answered(status, number, undefined),
    submitAnswered: (status: number, number: number, block: Buffer, start: number, stop: number): void =>
      submitAnswered(status, number, status === STATUS.ok ? readMessageId(block, start, stop) : ''),
    queryAnswered: (status: number, number: number, block: Buffer, start: number, stop: number): void =>
      queries.answered(status, number, readQueried(block, start, stop)),
    delivered: (mode: Mode, number: number, block: Buffer, start: number, stop: number): void =>
      deliver(mode, number, readSmppMessage(block, start, stop)),
    /** No answer comes any more. */
    end: (reason: string): void => {
      submits.end(reason);
      queries.end(reason);
    },
  };
};
export type Exchange = ReturnType<typeof openExchange>;
