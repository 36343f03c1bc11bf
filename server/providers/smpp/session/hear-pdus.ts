import { COMMAND } from '../codec/commands.ts';
import { type PduHandler, PduReader } from '../codec/pdu-reader.ts';
import { STATUS } from '../codec/statuses.ts';
import type { Exchange } from './exchange.ts';
import type { Link } from './link.ts';
import { type Mode, nackedRequest } from './session-steps.ts';

/** What a session says and does about the PDUs of the far end. */
interface Hearer {
  mode: () => Mode;
  bindSequence: () => number;
  /** The far end has given a sign of life. */
  heard: () => void;
  bindAnswered: (status: number) => void;
  /** Some submits were answered. */
  room: () => void;
  end: (reason: string) => void;
  destroy: (reason: string) => void;
}

/** Hands each PDU of the far end to what it concerns, and answers its requests. */
export const hearPdus = (session: Hearer, link: Link, exchange: Exchange): ((chunk: Buffer) => void) => {
  const reader = new PduReader();
  const nacked = (status: number, number: number) => {
    const known = { bindSequence: session.bindSequence(), isQuery: exchange.isQuery(number) };
    const request = nackedRequest(session.mode(), number, known);
    if (request === 'bind') return session.bindAnswered(status);
    if (request === 'query') return exchange.queryNacked(status, number);
    exchange.submitNacked(status, number);
  };
  const hear: PduHandler = (command, status, number, block, start, stop) => {
    if (session.mode() === 'over') return;
    // Only a whole PDU is a sign of life: octets may arrive forever in the middle of one.
    session.heard();
    switch (command) {
      case COMMAND.submitSmResp:
        return exchange.submitAnswered(status, number, block, start, stop);
      case COMMAND.querySmResp:
        return exchange.queryAnswered(status, number, block, start, stop);
      case COMMAND.deliverSm:
        return exchange.delivered(session.mode(), number, block, start, stop);
      case COMMAND.enquireLink:
        return link.plain(COMMAND.enquireLinkResp, STATUS.ok, number);
      case COMMAND.bindTransceiverResp:
        return session.bindAnswered(status);
      case COMMAND.genericNack:
        return nacked(status || STATUS.invalidCommand, number);
      case COMMAND.unbind:
        link.plain(COMMAND.unbindResp, STATUS.ok, number);
        link.end();
        return session.end('the message centre ended the bind');
      case COMMAND.unbindResp:
        return session.destroy('unbound');
      default:
        // An answer to nothing is ignored; an unknown request gets an answer, because the far end waits for one.
        if (command < COMMAND.genericNack) link.plain(COMMAND.genericNack, STATUS.invalidCommand, number);
    }
  };
  return (chunk) => {
    if (session.mode() === 'over') return;
    const before = exchange.inFlight();
    if (!reader.push(chunk, hear)) {
      link.plain(COMMAND.genericNack, STATUS.invalidCommandLength, 0);
      session.destroy('the message centre sent something that is not SMPP');
    } else if (exchange.inFlight() < before) session.room();
  };
};
