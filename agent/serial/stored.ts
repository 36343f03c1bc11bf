import { createHash } from 'node:crypto';
import type { ModemEvents } from '../modems/modem.ts';
import { readPdu } from '../pdu/read-pdu.ts';
import type { AtPort } from './at-port.ts';
import type { Unsolicited } from './unsolicited.ts';

interface StoredOptions {
  events: () => ModemEvents | undefined;
  /** Of the message that is being sent. */
  sending: () => Promise<unknown>;
  /** Whether the modem waits to be told that it was heard. */
  acknowledges: () => boolean;
  answerMs: number;
}

const STORED = /^\+(CMGL|CMGR): *(?:(\d+),)?/;

const keyOf = (place: string, pdu: string): string =>
  createHash('sha256').update(`${place}\n${pdu}`).digest('hex').slice(0, 32);

/** Undefined for what nobody can read, which must not fill the store. */
const readAnyPdu = (hex: string): ReturnType<typeof readPdu> => {
  try {
    return readPdu(hex);
  } catch {
    return undefined;
  }
};

/** What came to the modem: it is noted, and only then deleted there. */
export const openStored = ({ events, sending, acknowledges, answerMs }: StoredOptions) => {
  /** One PDU, wherever it came from: noted when it returns. The key of an arrival. */
  const take = (hex: string, place: string): string | undefined => {
    const pdu = readAnyPdu(hex);
    if (pdu?.kind === 'report')
      events()?.report({
        reference: String(pdu.reference),
        recipient: pdu.recipient,
        state: pdu.state,
        code: `ST-${pdu.status}`,
        at: pdu.at,
      });
    if (pdu?.kind !== 'deliver') return undefined;
    const key = keyOf(place, hex);
    const { from, text, at, concatenation } = pdu;
    events()?.arrived({ key, from, text, at, concatenation });
    return key;
  };

  /** What lies in the modem's store is noted, and only then deleted there. */
  const takeStored = async (at: AtPort, memory: string, index: string, hex: string): Promise<void> => {
    const key = take(hex, `${memory} ${index}`);
    await at.command(`AT+CMGD=${index}`);
    if (key) events()?.deleted(key);
  };
  const readStore = async (at: AtPort): Promise<void> => {
    const lines = await at.command('AT+CMGL=4', answerMs);
    // Reports of the message that is being sent may be among them.
    await sending();
    for (let i = 0; i + 1 < lines.length; i++) {
      const index = STORED.exec(lines[i] ?? '')?.[2];
      if (index !== undefined) await takeStored(at, 'store', index, lines[++i] ?? '');
    }
  };
  /** A report in a store of its own, which is not among those that are listed. */
  const readOne = async (at: AtPort, memory: string, index: string): Promise<void> => {
    await at.command(`AT+CPMS="${memory}"`);
    try {
      const [, hex] = await at.command(`AT+CMGR=${index}`);
      if (hex) await takeStored(at, memory, index, hex);
    } finally {
      await at.command('AT+CPMS="SM"');
    }
  };
  const takeDirect = async (at: AtPort, hex: string): Promise<void> => {
    const key = take(hex, 'direct');
    if (acknowledges()) await at.command('AT+CNMA');
    if (key) events()?.deleted(key);
  };
  return {
    readStore,
    /** Reads what the modem tells of, by and by. */
    told: (at: AtPort, { line, pdu }: Unsolicited): (() => Promise<void>) => {
      const [, kind, memory = '', index = ''] = /^\+(CMTI|CDSI): *"(\w+)", *(\d+)/.exec(line) ?? [];
      // A report may come with the answer to its message, or before it: it is matched once the answer is noted. Not
      // later, since the modem tells nothing more until this is acknowledged.
      const noted = line.startsWith('+CDS') ? sending() : Promise.resolve();
      return async () => {
        await noted;
        if (pdu !== undefined) await takeDirect(at, pdu);
        else if (kind === 'CDSI' && memory !== 'SM') await readOne(at, memory, index);
        else if (kind) await readStore(at);
      };
    },
  };
};
