import { randomInt } from 'node:crypto';
import {
  type Modem,
  type ModemEvents,
  type ModemOutcome,
  type ModemState,
  refusedOutcome,
} from '../modems/modem.ts';
import { openPolling } from '../modems/poll.ts';
import { AtSilence } from './at-errors.ts';
import { type AtPort, openAtPort, type SerialLine } from './at-port.ts';
import { sendParts } from './send-parts.ts';
import { lookAt, setUp } from './set-up.ts';
import { openStored } from './stored.ts';
import type { Unsolicited } from './unsolicited.ts';
import { askUssd, readUssd } from './ussd.ts';

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

const REFERENCES = 256;

const awayOutcome = (reason = 'The modem is away.'): ModemOutcome =>
  refusedOutcome({ parts: 1, code: 'NO_NETWORK', reason });

/** A modem on a serial line, by AT commands in PDU mode (3GPP TS 27.005 and 27.007). */
export const serialModem = ({ openLine, number, pin, answerMs, pollMs }: SerialModemOptions): Modem => {
  let events: ModemEvents | undefined;
  let port: AtPort | undefined;
  let state: ModemState = { up: false, reason: 'The modem was not reached yet.', number };
  let acknowledges = false;
  let sending: Promise<unknown> = Promise.resolve();
  let reference = randomInt(REFERENCES);
  let answerUssd: ((text: string) => void) | undefined;

  const become = (next: ModemState): void => {
    const before = state;
    state = { ...next, number: next.number ?? number };
    if (before.up !== state.up || before.imsi !== state.imsi || before.reason !== state.reason)
      events?.changed();
  };

  const stored = openStored({
    events: () => events,
    sending: () => sending,
    acknowledges: () => acknowledges,
    answerMs,
  });
  const onUnsolicited = (at: AtPort, said: Unsolicited): void => {
    if (said.line.startsWith('+CUSD')) answerUssd?.(readUssd(said.line));
    // What fails now is read again at the next look, or sent again by the network.
    else polling.inTurn(stored.told(at, said));
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
      await stored.readStore(at);
    } catch (error) {
      become({ ...state, up: false, reason: (error as Error).message.slice(0, 200) });
      // A modem that does not answer may have lost its place in the protocol: it begins anew.
      if (error instanceof AtSilence) port?.close();
    }
  };
  const polling = openPolling(look, () => pollMs);

  return {
    driver: 'serial',
    idempotent: false,
    open: async (to) => {
      events = to;
      await polling.begin();
    },
    state: () => state,
    send: (message) => {
      const at = port;
      const run = async (): Promise<ModemOutcome> => {
        if (!at?.isOpen() || !state.up) return awayOutcome(state.reason);
        reference = (reference + 1) % REFERENCES;
        return sendParts(at, message, { reference, answerMs });
      };
      const outcome = run();
      sending = outcome;
      return outcome;
    },
    ask: async (code) => {
      const at = port;
      if (!at) throw new AtSilence('the modem is away');
      const answer = Promise.withResolvers<string>();
      answerUssd = answer.resolve;
      try {
        return await askUssd(at, code, answer);
      } finally {
        answerUssd = undefined;
      }
    },
    close: async () => {
      polling.end();
      await sending;
      await polling.idle();
      port?.close();
    },
  };
};
