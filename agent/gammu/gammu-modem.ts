import { mkdirSync } from 'node:fs';
import { segmentation } from '../../contract/traffic/segments.ts';
import { cmsErrorName, isDoubtful, isRetryable } from '../modems/cms-errors.ts';
import type { Modem, ModemEvents, ModemMessage, ModemOutcome, ModemState } from '../modems/modem.ts';
import { refusedOutcome, sent, unknown } from '../modems/modem.ts';
import { openPolling } from '../modems/poll.ts';
import { lastLine, openGammu, type Ran } from './gammu-program.ts';
import { readLocations, valueIn } from './read-message.ts';
import { openStored } from './stored.ts';

export interface GammuModemOptions {
  program: string;
  path: string;
  connection: string;
  /** For its files. */
  folder: string;
  number?: string | undefined;
  answerMs: number;
  pollMs: number;
}

/** In minutes; gammu knows these alone. */
const VALIDITIES: [number, string][] = [
  [60, 'HOUR'],
  [360, '6HOURS'],
  [1_440, 'DAY'],
  [4_320, '3DAYS'],
  [10_080, 'WEEK'],
];
const REFERENCE = /OK, message reference=(\d+)/g;
/** From here on the network may have received a part. */
const BEGUN = /Sending SMS \d+\/\d+/;
const REFUSED = /\.\.error (\d+), message reference=-1/;
const USSD_MS = 90_000;
/** A modem that is away, or held by a run of a killed agent, is tried again soon. */
const RETRY_MS = 3_000;

/** What gammu's words and its exit say of a message. */
export const judgeSending = ({ output, errors, code }: Ran, parts: number): ModemOutcome => {
  const references = [...output.matchAll(REFERENCE)].map(([, reference = '']) => reference);
  if (code === 0 && references.length === parts) return sent(references);
  const reason = lastLine(errors) || lastLine(output) || 'gammu ended without a word';
  if (!BEGUN.test(output)) return refusedOutcome({ parts, code: 'GAMMU', reason });
  const number = REFUSED.exec(output)?.[1];
  const cms = `CMS-${number}`;
  // gammu prints an error if the modem refused the part; anything else may be a lost answer.
  if (number !== undefined && references.length === 0 && !isDoubtful(cms))
    return refusedOutcome({ parts, code: cmsErrorName(cms), reason, retryable: isRetryable(cms) });
  return unknown({ parts, references, code: 'NO_ANSWER', reason });
};

/**
 * A modem by the `gammu` program. Receipts are read from the modem's store, where most modems put them while nobody
 * listens.
 */
export const gammuModem = ({
  program,
  path,
  connection,
  folder,
  number,
  answerMs,
  pollMs,
}: GammuModemOptions): Modem => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const gammu = openGammu({ program, folder, device: path, connection });
  let events: ModemEvents | undefined;
  let state: ModemState = { up: false, reason: 'The modem was not reached yet.', number };
  let sending: Promise<unknown> = Promise.resolve();

  const stored = openStored({ gammu, events: () => events });

  const become = (next: ModemState): void => {
    const before = state;
    state = next;
    if (before.up !== next.up || before.imsi !== next.imsi || before.reason !== next.reason)
      events?.changed();
  };

  const look = async (): Promise<void> => {
    try {
      const { printed, failure } = await gammu.batch(['identify', 'getallsms', 'networkinfo']);
      const [identity = '', list = '', network = ''] = printed;
      const up = /home network|roaming/i.test(valueIn(network, 'Network state') ?? '');
      become({
        up,
        ...(!up && { reason: failure ?? 'It is in no network.' }),
        imsi: /^\d{5,15}$/.exec(valueIn(identity, 'SIM IMSI') ?? '')?.[0] ?? state.imsi,
        number,
        network: valueIn(network, 'Name in phone')?.replaceAll('"', ''),
      });
      await stored.read(readLocations(list));
    } catch (error) {
      become({ ...state, up: false, reason: (error as Error).message.slice(0, 200) });
    }
  };
  const polling = openPolling(look, () => (state.up ? pollMs : Math.min(pollMs, RETRY_MS)));

  const send = async ({ recipient, text, receipt, validityMinutes }: ModemMessage): Promise<ModemOutcome> => {
    const { encoding, segments: parts } = segmentation(text);
    if (!state.up)
      return refusedOutcome({ parts, code: 'NO_NETWORK', reason: state.reason ?? 'The modem is away.' });
    const [, validity] = VALIDITIES.find(([minutes]) => validityMinutes <= minutes) ?? [0, 'WEEK'];
    const args = ['sendsms', 'TEXT', recipient, '-len', String(text.length * 2), '-validity', validity];
    if (receipt) args.push('-report');
    if (encoding === 'UCS2') args.push('-unicode');
    try {
      return judgeSending(await gammu.run(args, { input: text, timeoutMs: answerMs }), parts);
    } catch (error) {
      return refusedOutcome({ parts, code: 'GAMMU', reason: (error as Error).message.slice(0, 200) });
    }
  };

  return {
    driver: 'gammu',
    idempotent: false,
    open: async (to) => {
      events = to;
      await polling.begin();
    },
    state: () => state,
    send: (message) => {
      const outcome = send(message);
      sending = outcome;
      return outcome;
    },
    ask: async (code) => {
      const { output } = await gammu.run(['getussd', code], { timeoutMs: USSD_MS });
      const said = /^Service reply *: "([\s\S]*)"/m.exec(output)?.[1];
      if (said === undefined) throw new Error('the network does not answer');
      return said;
    },
    close: async () => {
      polling.end();
      await sending;
      await polling.idle();
    },
  };
};
