import { createServer, type Socket } from 'node:net';
import { createServer as createSecureServer, type TlsOptions } from 'node:tls';
import {
  contentOf,
  encodeText,
  type MessageFields,
  openRecentMap,
  type SmppAddress,
  type SmppMessage,
  withHeader,
} from '../../../server/providers/smpp/testing/codec.ts';
import { listenOn } from '../listen-on.ts';
import { CALM, MAGIC, type SmscBehaviour } from './smsc-behaviour.ts';
import { type Connection, serve, type Verdict } from './smsc-connection.ts';
import { type Counts, openTally } from './smsc-counts.ts';
import { type Carriage, type DeliveryCounts, openDeliveries } from './smsc-deliveries.ts';
import { answeredId, receiptedId, receiptFields, type StateName, USUAL_RECEIPTS } from './smsc-receipts.ts';
import { faultOf, INVALID } from './smsc-validation.ts';

export { USUAL_RECEIPTS } from './smsc-receipts.ts';

export interface SmscOptions {
  port?: number;
  systemId?: string;
  password?: string;
  tls?: TlsOptions;
  /** Keeps every recipient and text; without it only totals. */
  keys?: boolean;
  /** Called with each whole message that was accepted, before it is answered. */
  onTaken?: (digits: string, text: string) => void;
  /** Prefix of the ids that it assigns: a different one after a restart. */
  firstId?: number;
  behaviour?: Partial<SmscBehaviour>;
}

/** A message centre on a real socket. */
export interface Smsc {
  port: number;
  /** The setting for our carrier, with these parameters. */
  url: (parameters?: Record<string, string | number>) => string;
  behaviour: SmscBehaviour;
  counts: () => Counts & DeliveryCounts & { binds: number; accepted: number; busyMs: number };
  /** How many connections are open; one that is not has been read to its end. */
  connected: () => number;
  /** How often this message was accepted. */
  of: (message: { recipient: string; text: string }) => number;
  all: () => Map<string, number>;
  /** Submits as they arrived, whatever their outcome; the last thousand at least. */
  submits: SmppMessage[];
  reset: () => void;
  /** Sends a receipt for a message that was accepted under this id; resolves when it is acknowledged. */
  report: (id: string, state: StateName) => Promise<void>;
  /** The same for all that were accepted lately. */
  reportAll: (state: StateName) => Promise<void>;
  /** Writes to the client, in parts if it is long; resolves when all is acknowledged. */
  write: (message: { from: string; to: string; text: string }) => Promise<void>;
  deliver: (fields: MessageFields) => Promise<void>;
  /** Raw octets, to every client. */
  garble: (octets: Buffer) => void;
  /** Closes every connection in the middle of whatever it does. */
  drop: () => void;
  close: () => Promise<void>;
}

const KEPT_SUBMITS = 1_000;
const KEPT_ACCEPTED = 20_000;
const FIRST_ID = 1_000_000;
/** What a query says of everything that was accepted. */
const ENROUTE = 1;

const addressOf = (number: string): SmppAddress =>
  number.startsWith('+') ? { ton: 1, npi: 1, digits: number.slice(1) } : { ton: 0, npi: 1, digits: number };

/** Counts in whole seconds, as simple message centres do. */
const openMeter = (perSecond: () => number) => {
  let [second, used] = [0, 0];
  return (): boolean => {
    if (perSecond() === Number.POSITIVE_INFINITY) return true;
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) [second, used] = [now, 0];
    used += 1;
    return used <= perSecond();
  };
};

/** The same numbers from 0 to 1 each time. */
const openDice = () => {
  let state = 1;
  return (): number => {
    state = (state * 48_271) % 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
};

const messageFields = (from: string, to: string, text: string): MessageFields[] => {
  const { dataCoding, parts } = encodeText(text, { whole: false });
  const reference = Math.floor(Math.random() * 256);
  return parts.map((part, index) => ({
    source: addressOf(from),
    destination: addressOf(to),
    esmClass: parts.length > 1 ? 0x40 : 0,
    registeredDelivery: 0,
    dataCoding,
    content:
      parts.length > 1 ? withHeader(part, { reference, total: parts.length, number: index + 1 }) : part,
    asPayload: false,
  }));
};

export const startSmsc = async (options: SmscOptions = {}): Promise<Smsc> => {
  const { systemId = 'posthorn', password = 'secret', keys = true } = options;
  const behaviour: SmscBehaviour = { ...CALM, ...options.behaviour };
  const tally = openTally({ keys, onTaken: options.onTaken });
  const deliveries = openDeliveries({
    window: () => behaviour.deliverWindow,
    againMs: () => behaviour.deliverAgainMs,
  });
  const mayTake = openMeter(() => behaviour.perSecond);
  const draw = openDice();
  const connections = new Set<Connection>();
  const submits: SmppMessage[] = [];
  /** By answered id: what a receipt needs, for those accepted lately. */
  const accepted = openRecentMap<{ number: number; from: SmppAddress; to: SmppAddress }>(KEPT_ACCEPTED);
  let lately: string[] = [];
  let acceptedParts = 0;
  /** How many answers are yet to be sent, since when there are any, and for how long there were before. */
  let [working, busySince, busyMs] = [0, 0, 0];
  const seenOnce = new Set<string>();
  let nextNumber = options.firstId ?? FIRST_ID;
  let binds = 0;
  let due: MessageFields[] = [];

  const sendDue = (): void => {
    const sending = behaviour.receipts?.order === 'reversed' ? due.reverse() : due;
    due = [];
    for (const fields of sending) void deliveries.add(fields);
  };
  const sendLater = (fields: MessageFields, delayMs: number): void => {
    if (due.length === 0) {
      if (delayMs > 0) setTimeout(sendDue, delayMs);
      else setImmediate(sendDue);
    }
    due.push(fields);
  };

  const accept = (message: SmppMessage, state: StateName | undefined, carriage: Carriage): Verdict => {
    tally.take(message);
    acceptedParts += 1;
    const number = nextNumber++;
    const receipts = behaviour.receipts;
    const id = answeredId(number, receipts ?? USUAL_RECEIPTS);
    const ends = { number, from: message.destination, to: message.source };
    if (keys) {
      accepted.set(id, ends);
      lately.push(id);
      if (lately.length > KEPT_ACCEPTED) lately = lately.slice(-KEPT_ACCEPTED / 2);
    }
    if (!receipts || (message.registeredDelivery & 3) === 0) return { id };
    const fields = receiptFields(ends, {
      id: receiptedId(number, receipts),
      state: state ?? 'DELIVRD',
      form: receipts.form,
    });
    const each = (send: () => void) => () => {
      for (let time = 0; time < receipts.times; time++) send();
    };
    return receipts.order === 'before-answer'
      ? { id, before: each(() => deliveries.addFirst(carriage, fields)) }
      : { id, after: each(() => sendLater(fields, receipts.delayMs)) };
  };

  const magicOf = (digits: string) => (behaviour.magic ? MAGIC[digits.slice(-4)] : undefined);

  const refusalOf = (message: SmppMessage, unanswered: number): number | undefined => {
    const fault = faultOf(message);
    if (fault !== undefined) return fault;
    if (unanswered > behaviour.window || !mayTake() || draw() < behaviour.throttled) return 0x58;
    const { digits } = message.destination;
    const magic = magicOf(digits);
    if (magic?.status === undefined || (magic.once && seenOnce.has(digits))) return undefined;
    seenOnce.add(digits);
    return magic.status;
  };

  const judge = (message: SmppMessage | undefined, unanswered: number, carriage: Carriage): Verdict => {
    if (message && keys) {
      submits.push(message);
      if (submits.length > KEPT_SUBMITS * 2) submits.splice(0, KEPT_SUBMITS);
    }
    const status = message ? refusalOf(message, unanswered) : INVALID.length;
    tally.submitted(status !== undefined);
    if (!message || status !== undefined) return { status: status ?? INVALID.length };
    if (draw() < behaviour.forgotten) return 'silent';
    const magic = magicOf(message.destination.digits);
    const isOther = magic?.ofPart !== undefined && contentOf(message).part?.number !== magic.ofPart;
    const verdict = accept(message, isOther ? undefined : magic?.state, carriage);
    if (magic?.drop) return 'drop';
    return magic?.silent ? 'silent' : verdict;
  };

  const welcome = (socket: Socket): void => {
    const connection = serve(socket, {
      behaviour,
      credentials: { systemId, password },
      deliveries,
      judge,
      stateOf: (id) => (accepted.get(id) ? ENROUTE : undefined),
      working: (more) => {
        if (working === 0) busySince = performance.now();
        working += more;
        if (working === 0) busyMs += performance.now() - busySince;
      },
      bound: () => {
        binds += 1;
      },
      closed: () => connections.delete(connection),
    });
    connections.add(connection);
  };
  const server = options.tls ? createSecureServer(options.tls, welcome) : createServer(welcome);
  const port = await listenOn(server, options.port ?? 0);
  // A client that leaves during the handshake is not our fault.
  server.on('tlsClientError', () => {});

  const report = async (id: string, state: StateName): Promise<void> => {
    const ends = accepted.get(id);
    if (!ends) throw new Error('nothing was accepted under this id');
    const form = behaviour.receipts ?? USUAL_RECEIPTS;
    await deliveries.add(receiptFields(ends, { id: receiptedId(ends.number, form), state, form: form.form }));
  };

  return {
    port,
    url: (parameters = {}) => {
      const query = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
      return `${options.tls ? 'ssmpp' : 'smpp'}://${systemId}:${password}@127.0.0.1:${port}?${query.join('&')}`;
    },
    behaviour,
    counts: () => ({
      ...tally.counts(),
      ...deliveries.counts(),
      binds,
      accepted: acceptedParts,
      busyMs: busyMs + (working > 0 ? performance.now() - busySince : 0),
    }),
    connected: () => connections.size,
    of: tally.of,
    all: tally.all,
    submits,
    reset: () => {
      tally.reset();
      deliveries.reset();
      submits.length = 0;
    },
    report,
    reportAll: async (state) => {
      await Promise.all(lately.splice(0).map((id) => report(id, state)));
    },
    write: async ({ from, to, text }) => {
      await Promise.all(messageFields(from, to, text).map(deliveries.add));
    },
    deliver: deliveries.add,
    garble: (octets) => {
      for (const { write } of connections) write(octets);
    },
    drop: () => {
      for (const { drop } of connections) drop();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const { drop } of connections) drop();
      }),
  };
};
