import { HEADER_OCTETS, MAX_PDU_OCTETS } from './commands.ts';
import type { QueriedFields } from './pdu-writer.ts';

/** The body lies in `block` from `start` up to `end`; it is only valid during the call. */
export type PduHandler = (
  command: number,
  status: number,
  sequence: number,
  block: Buffer,
  start: number,
  end: number,
) => void;

const NOTHING = Buffer.alloc(0);

/**
 * Finds the PDUs in a stream, however it was cut. A length that can't be true means that the two sides no longer
 * agree where a PDU begins: nothing after it can be read.
 */
export class PduReader {
  #pieces: Buffer[] = [];
  #held = 0;
  /** Octets that must be there before it is worth looking again. */
  #wanted = HEADER_OCTETS;

  /** Answers false when the stream can't be read any further. */
  push(chunk: Buffer, handle: PduHandler): boolean {
    this.#held += chunk.length;
    if (this.#held < this.#wanted) {
      this.#pieces.push(chunk);
      return true;
    }
    const block = this.#pieces.length === 0 ? chunk : Buffer.concat([...this.#pieces, chunk]);
    this.#pieces = [];
    return this.#readAll(block, handle);
  }

  #readAll(block: Buffer, handle: PduHandler): boolean {
    let at = 0;
    this.#wanted = HEADER_OCTETS;
    while (block.length - at >= HEADER_OCTETS) {
      const octets = block.readUInt32BE(at);
      if (octets < HEADER_OCTETS || octets > MAX_PDU_OCTETS) return false;
      if (block.length - at < octets) {
        this.#wanted = octets;
        break;
      }
      handle(
        block.readUInt32BE(at + 4),
        block.readUInt32BE(at + 8),
        block.readUInt32BE(at + 12),
        block,
        at + HEADER_OCTETS,
        at + octets,
      );
      at += octets;
    }
    const rest = at === 0 ? block : at === block.length ? NOTHING : block.subarray(at);
    this.#held = rest.length;
    if (rest.length > 0) this.#pieces.push(rest);
    return true;
  }
}

/** The message id of an answer. Some leave out its end or the whole body, so that is not an error. */
export const readMessageId = (block: Buffer, start: number, end: number): string => {
  let zero = start;
  while (zero < end && block[zero] !== 0) zero++;
  return zero === start ? '' : block.toString('latin1', start, zero);
};

/** The answer to a query_sm; undefined if it is cut off. */
export const readQueried = (block: Buffer, start: number, end: number): QueriedFields | undefined => {
  const afterId = block.indexOf(0, start) + 1;
  const afterDate = block.indexOf(0, afterId) + 1;
  if (afterId === 0 || afterDate === 0 || afterDate + 2 > end) return undefined;
  return {
    messageId: block.toString('latin1', start, afterId - 1),
    finalDate: block.toString('latin1', afterId, afterDate - 1),
    state: block[afterDate] ?? 0,
    error: block[afterDate + 1] ?? 0,
  };
};
