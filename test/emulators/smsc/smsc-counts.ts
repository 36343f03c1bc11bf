import { contentOf, decodeOctets, type SmppMessage } from '../../../server/providers/smpp/testing/codec.ts';

export interface Counts {
  /** submit_sm that arrived, whatever their outcome. */
  submits: number;
  refused: number;
  /** Whole messages: a long one counts when its last part has arrived. */
  messages: number;
  /** Distinct pairs of recipient and text. */
  distinct: number;
  /** Those that arrived more than once. */
  repeated: number;
  /** When the first and the last submit arrived, in milliseconds since 1970; 0 before any. */
  firstAt: number;
  lastAt: number;
}

/** Milliseconds since 1970 with their fraction: clocks of several processes are compared. */
export const preciseNow = (): number => performance.timeOrigin + performance.now();

/** Counts messages by recipient and text, with long ones reassembled. */
interface Tally {
  submitted: (refused: boolean) => void;
  take: (message: SmppMessage) => void;
  of: (message: { recipient: string; text: string }) => number;
  all: () => Map<string, number>;
  counts: () => Counts;
  reset: () => void;
}

interface TallyOptions {
  /** Without them only totals are kept, for long runs. */
  keys: boolean;
  /** Called with each whole message, before it is answered. */
  onTaken?: ((digits: string, text: string) => void) | undefined;
}

const NOTHING = { submits: 0, refused: 0, messages: 0, firstAt: 0, lastAt: 0 };

const keyOf = (digits: string, text: string): string => `${digits} ${text}`;

export const openTally = ({ keys, onTaken }: TallyOptions): Tally => {
  const taken = new Map<string, number>();
  const unfinished = new Map<string, (Buffer | undefined)[]>();
  const totals = { ...NOTHING };

  const count = (digits: string, octets: Buffer, dataCoding: number): void => {
    totals.messages += 1;
    if (!keys && !onTaken) return;
    const text = decodeOctets(octets, dataCoding);
    onTaken?.(digits, text);
    if (!keys) return;
    const key = keyOf(digits, text);
    taken.set(key, (taken.get(key) ?? 0) + 1);
  };
  return {
    submitted: (refused) => {
      totals.submits += 1;
      totals.lastAt = preciseNow();
      totals.firstAt ||= totals.lastAt;
      if (refused) totals.refused += 1;
    },
    take: (message) => {
      const { octets, dataCoding, part } = contentOf(message);
      const { digits } = message.destination;
      if (!part) return count(digits, octets, dataCoding);
      const key = [message.source.digits, digits, part.reference, part.total, dataCoding].join(' ');
      const parts = unfinished.get(key) ?? Array.from({ length: part.total }, () => undefined);
      // A part that arrives twice starts another message: it must not vanish in the count.
      if (parts[part.number - 1]) totals.messages += 1;
      parts[part.number - 1] = octets;
      unfinished.set(key, parts);
      if (parts.some((one) => one === undefined)) return;
      unfinished.delete(key);
      count(digits, Buffer.concat(parts as Buffer[]), dataCoding);
    },
    of: ({ recipient, text }) => taken.get(keyOf(recipient.replace('+', ''), text)) ?? 0,
    all: () => taken,
    counts: () => ({
      ...totals,
      distinct: taken.size,
      repeated: [...taken.values()].filter((times) => times > 1).length,
    }),
    reset: () => {
      taken.clear();
      unfinished.clear();
      Object.assign(totals, NOTHING);
    },
  };
};
