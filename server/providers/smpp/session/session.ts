import { COMMAND } from '../codec/commands.ts';
import type { MessageFields, SmppAddress } from '../codec/pdu-writer.ts';
import { STATUS, statusName } from '../codec/statuses.ts';
import type { SmppOptions } from '../smpp-options.ts';
import { type ExchangeEvents, openExchange } from './exchange.ts';
import { hearPdus } from './hear-pdus.ts';
import { openLink } from './link.ts';
import type { Queried } from './queries.ts';
import { lookEveryMs, type Mode, nextPulse, type Pulse } from './session-steps.ts';
import type { Settle } from './submits.ts';

interface SessionEvents extends ExchangeEvents {
  bound: () => void;
  /** Once, however it ended. */
  over: (reason: string) => void;
}

/** One connection, from the first packet to the last. */
export interface Session {
  /** Those that hold a place in the window. */
  inFlight: () => number;
  /** Those whose answer is overdue; it is still waited for. */
  overdue: () => number;
  isBound: () => boolean;
  submit: (fields: MessageFields, settle: Settle) => void;
  /** What became of a message, by the far end's id. */
  query: (messageId: string, source: SmppAddress) => Promise<Queried>;
  /** Unbinds, and waits this long for the answer. */
  unbind: (timeoutMs: number) => Promise<void>;
  destroy: (reason: string) => void;
}

/**
 * Speaks SMPP as a transceiver. Its modes, in their order:
 *
 * - `connecting`: until the connection stands, then a bind is sent.
 * - `binding`: until the bind is answered. Remembered: its number, since a generic_nack may answer it too.
 * - `bound`: messages are submitted. What waits for an answer is remembered by `openSubmits` and `openQueries`, how much
 *   came in and is not stored yet by `openDeliveries`.
 * - `unbinding`: we were asked to unbind; what comes in until the answer is still taken.
 * - `over`: the connection ended, or either side ended the bind; nothing moves it any more.
 *
 * Remembered in all of them: when the far end was heard, see `nextPulse`, which also ends a bind that is late.
 */
export const openSession = (options: SmppOptions, events: SessionEvents): Session => {
  let mode: Mode = 'connecting';
  let bindSequence = 0;
  let pulse: Pulse = { heard: false, heardAt: performance.now(), askedAt: undefined };

  const end = (reason: string): void => {
    if (mode === 'over') return;
    mode = 'over';
    clearInterval(timer);
    exchange.end(`The connection ended before the answer: ${reason}.`);
    events.over(reason);
  };
  const destroy = (reason: string): void => {
    link.destroy();
    end(reason);
  };
  const connected = (): void => {
    if (mode !== 'connecting') return;
    mode = 'binding';
    bindSequence = link.nextSequence();
    link.bind(bindSequence);
  };
  const bindAnswered = (status: number) => {
    if (mode !== 'binding') return;
    if (status !== STATUS.ok) return destroy(`the bind was refused with ${statusName(status)}`);
    mode = 'bound';
    events.bound();
  };
  const look = (): void => {
    const now = performance.now();
    if (mode === 'bound' || mode === 'unbinding') exchange.expire(now);
    const looked = nextPulse(mode, pulse, now, options);
    pulse = looked.pulse;
    if (looked.next === 'bind is late') destroy('the message centre did not answer the bind in time');
    if (looked.next === 'is silent') destroy('the message centre is silent');
    if (looked.next === 'ask') link.plain(COMMAND.enquireLink, STATUS.ok, link.nextSequence());
  };
  const link = openLink(options, { connected, octets: (chunk) => hear(chunk), ended: end });
  const exchange = openExchange(options, link, events);
  const heard = () => {
    if (!pulse.heard) pulse = { ...pulse, heard: true };
  };
  const known = { mode: () => mode, bindSequence: () => bindSequence, heard };
  const hear = hearPdus({ ...known, bindAnswered, room: events.room, end, destroy }, link, exchange);
  const timer = setInterval(look, lookEveryMs(options));
  const unbind = async (waitMs: number) => {
    if (mode !== 'bound') return destroy('closed');
    mode = 'unbinding';
    link.plain(COMMAND.unbind, STATUS.ok, link.nextSequence());
    link.flush();
    await link.closed(waitMs);
    destroy('closed');
  };
  const { inFlight, overdue, submit } = exchange;
  const query = async (messageId: string, source: SmppAddress): Promise<Queried> =>
    mode === 'bound' ? exchange.query(messageId, source) : 'There is no connection to the message centre.';
  return { inFlight, overdue, isBound: () => mode === 'bound', submit, query, unbind, destroy };
};
