import { createHash, randomInt } from 'node:crypto';
import { isDoubtful, isRetryable, nameOf } from '../modems/cms-errors.ts';
import type { Modem, ModemEvents, ModemState, Outcome, Outgoing } from '../modems/modem.ts';
import { refused, sent, unknown } from '../modems/modem.ts';
import { readPdu } from '../pdu/read-pdu.ts';
import { encodeSubmit } from '../pdu/submit.ts';
import { AtError, AtSilence, NothingSent } from './at-errors.ts';
import { type AtPort, openAtPort, type SerialLine, type Unsolicited } from './at-port.ts';
import { lookAt, setUp } from './set-up.ts';
import { readUssd } from './ussd.ts';

export interface SerialModemOptions {
  openLine: () => Promise<SerialLine>;
  /** The SIM's own number, which most SIMs don't know. */
  number?: string | undefined;
  pin?: string | undefined;
  /** How long the network may take to accept a part. */
  answerMs: number;
  /** How often its state and its store are read, and a modem that is away is tried again. */
  pollMs: number;
}

const USSD_MS = 60_000;
const REFERENCES = 256;
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

/** What is known of a message of which a part failed. */
const judgeFailure = (error: Error, known: { references: string[]; parts: number }): Outcome => {
  const cause = error instanceof NothingSent ? error.cause : error;
  const { message: reason } = cause;
  const code = cause instanceof AtError ? cause.code : '';
  const isRefusal = error instanceof NothingSent || (code !== '' && !isDoubtful(code));
  const told = { ...known, code: nameOf(code || 'NO_ANSWER'), reason };
  // If only some of the parts were sent, nobody may send the message again.
  if (!isRefusal || known.references.length > 0) return unknown(told);
  return refused({ ...told, retryable: isRetryable(code) });
};

/** A modem on a serial line, by AT commands in PDU mode (3GPP TS 27.005 and 27.007). */
export const serialModem = ({ openLine, number, pin, answerMs, pollMs }: SerialModemOptions): Modem => {
  let events: ModemEvents | undefined;
  let port: AtPort | undefined;
  let state: ModemState = { up: false, reason: 'The modem was not reached yet.', number };
  let acknowledges = false;
  let timer: NodeJS.Timeout | undefined;
  let closing = false;
  let sending: Promise<unknown> = Promise.resolve();
  let looking: Promise<void> = Promise.resolve();
  let reference = randomInt(REFERENCES);
  let answerUssd: ((text: string) => void) | undefined;

  const become = (next: ModemState): void => {
    const before = state;
    state = { ...next, number: next.number ?? number };
    if (before.up !== state.up || before.imsi !== state.imsi || before.reason !== state.reason)
      events?.changed();
  };

  /** One PDU, wherever it came from: noted when it returns. The key of an arrival. */
  const take = (hex: string, place: string): string | undefined => {
    const pdu = readAnyPdu(hex);
    if (pdu?.kind === 'report')
      events?.report({
        reference: String(pdu.reference),
        recipient: pdu.recipient,
        state: pdu.state,
        code: `ST-${pdu.status}`,
        at: pdu.at,
      });
    if (pdu?.kind !== 'deliver') return undefined;
    const key = keyOf(place, hex);
    const { from, text, at, concatenation } = pdu;
    events?.arrived({ key, from, text, at, concatenation });
    return key;
  };

  /** What lies in the modem's store is noted, and only then deleted there. */
  const takeStored = async (at: AtPort, memory: string, index: string, hex: string): Promise<void> => {
    const key = take(hex, `${memory} ${index}`);
    await at.command(`AT+CMGD=${index}`);
    if (key) events?.deleted(key);
  };
  const readStore = async (at: AtPort): Promise<void> => {
    const lines = await at.command('AT+CMGL=4', answerMs);
    // Reports of the message that is being sent may be among them.
    await sending;
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
    if (acknowledges) await at.command('AT+CNMA');
    if (key) events?.deleted(key);
  };
  const onUnsolicited = (at: AtPort, { line, pdu }: Unsolicited): void => {
    const [, kind, memory = '', index = ''] = /^\+(CMTI|CDSI): *"(\w+)", *(\d+)/.exec(line) ?? [];
    // A report may come with the answer to its message, or before it: it is matched once the answer is noted. Not
    // later, since the modem tells nothing more until this is acknowledged.
    const noted = line.startsWith('+CDS') ? sending : Promise.resolve();
    const work = async (): Promise<void> => {
      await noted;
      if (pdu !== undefined) await takeDirect(at, pdu);
      else if (kind === 'CDSI' && memory !== 'SM') await readOne(at, memory, index);
      else if (kind) await readStore(at);
    };
    if (line.startsWith('+CUSD')) answerUssd?.(readUssd(line));
    // What fails now is read again at the next look, or sent again by the network.
    else looking = looking.then(work).catch(() => {});
  };

  const connect = async (): Promise<void> => {
    const line = await openLine();
    const at: AtPort = openAtPort(line, {
      unsolicited: (said) => onUnsolicited(at, said),
      closed: (reason) => {
        if (port === at) port = undefined;
        become({ up: false, reason });
      },
    });
    try {
      ({ acknowledges } = await setUp(at, pin));
      port = at;
    } catch (error) {
      at.close();
      throw error;
    }
  };
  const look = async (): Promise<void> => {
    try {
      if (!port) await connect();
      const at = port;
      if (!at) return;
      become(await lookAt(at, state));
      await readStore(at);
    } catch (error) {
      become({ ...state, up: false, reason: (error as Error).message.slice(0, 200) });
      // A modem that does not answer may have lost its place in the protocol: it begins anew.
      if (error instanceof AtSilence) port?.close();
    }
  };
  const lookAgain = (): void => {
    if (closing) return;
    timer = setTimeout(() => {
      looking = looking.then(look).then(lookAgain);
    }, pollMs);
  };

  const sendParts = async (at: AtPort, message: Outgoing): Promise<Outcome> => {
    reference = (reference + 1) % REFERENCES;
    const pdus = encodeSubmit({ ...message, reference });
    const references: string[] = [];
    for (const pdu of pdus) {
      try {
        const lines = await at.submit(pdu, answerMs);
        const [, given] = /^\+CMGS: *(\d+)/.exec(lines.find((line) => line.startsWith('+CMGS')) ?? '') ?? [];
        if (given === undefined) throw new AtSilence('the modem gave no reference');
        references.push(given);
      } catch (error) {
        const cause = error instanceof NothingSent ? error.cause : error;
        // A late answer must not be taken for the next command's.
        if (cause instanceof AtSilence) at.close();
        return judgeFailure(error as Error, { references, parts: pdus.length });
      }
    }
    return sent(references);
  };

  return {
    driver: 'serial',
    idempotent: false,
    open: async (to) => {
      events = to;
      looking = looking.then(look).then(lookAgain);
      await looking;
    },
    state: () => state,
    send: (message) => {
      const at = port;
      const run = async (): Promise<Outcome> => {
        if (!at?.isOpen() || !state.up)
          return refused({ parts: 1, code: 'NO_NETWORK', reason: state.reason ?? 'The modem is away.' });
        return sendParts(at, message);
      };
      const outcome = run();
      sending = outcome;
      return outcome;
    },
    ask: async (code) => {
      const at = port;
      if (!at) throw new AtSilence('the modem is away');
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      answerUssd = resolve;
      const limit = setTimeout(() => reject(new AtSilence('the network does not answer')), USSD_MS);
      try {
        await at.command(`AT+CUSD=1,"${code}",15`, USSD_MS);
        return await promise;
      } finally {
        clearTimeout(limit);
        answerUssd = undefined;
      }
    },
    close: async () => {
      closing = true;
      clearTimeout(timer);
      await sending;
      await looking;
      port?.close();
    },
  };
};
