import { connect } from 'node:net';
import type pg from 'pg';
import type { ReaderOptions, ReadOutcome, ReadRequest } from '../../office/query/reader.ts';

/** How long a cancelled statement, or a goodbye, may take before the connection is cut. */
const CANCEL_MS = 500;
const CANCEL_CONNECT_MS = 5_000;
const CANCEL_REQUEST = 80_877_102;
const DEFAULT_PORT = 5432;

/** What `pg` keeps for itself: the socket, whose bytes count before a row is complete. */
interface Inside {
  connection: NodeJS.EventEmitter & {
    stream: NodeJS.ReadableStream & { destroy: () => void; destroyed: boolean };
  };
  /** What the server told this connection at its start, by which another one may cancel its statement. */
  processID: number | null;
  secretKey: number | null;
}
export const connectionOf = (client: pg.Client) => (client as unknown as Inside).connection;
export const streamOf = (client: pg.Client) => connectionOf(client).stream;

/** Nothing more can be heard of it, whatever it was doing. */
export const isCut = (client: pg.Client): boolean => streamOf(client).destroyed;

/** By the protocol's own message, over a connection of its own: it needs no privilege. False: it is not let in yet. */
const cancel = ({ host, port = DEFAULT_PORT }: ReaderOptions, client: pg.Client): boolean => {
  const { processID, secretKey } = client as unknown as Inside;
  if (processID === null || secretKey === null) return false;
  const message = Buffer.alloc(16);
  for (const [at, value] of [message.length, CANCEL_REQUEST, processID, secretKey].entries())
    message.writeInt32BE(value, at * 4);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  // Where it can't be reached, the cut of the statement's own connection has to do.
  socket.on('error', () => {});
  socket.setTimeout(CANCEL_CONNECT_MS, () => socket.destroy());
  socket.end(message);
  return true;
};

/** Why a connection ends before it has done its work. 'full': it has told as much as it may. */
type Why = 'signal' | 'timeout' | 'full';

export interface Ending {
  why: () => Why | undefined;
  now: (why: Why) => void;
  /** If its time was over, or the answer was no longer wanted. */
  outcome: () => ReadOutcome | undefined;
  /** It has done its work. */
  forget: () => void;
}

/** Ends a connection whatever it does, from the moment that it connects: a server may hang anywhere. */
export const openEnding = (
  options: ReaderOptions,
  client: pg.Client,
  { timeoutMs, signal }: Pick<ReadRequest, 'timeoutMs' | 'signal'>,
): Ending => {
  let ended: Why | undefined;
  let cut: NodeJS.Timeout | undefined;
  const now = (why: Why): void => {
    if (ended) return;
    ended = why;
    const isCancelled = cancel(options, client);
    // What is on its way is not read any more.
    if (why === 'full' || !isCancelled) streamOf(client).destroy();
    else cut = setTimeout(() => streamOf(client).destroy(), CANCEL_MS);
  };
  const timer = setTimeout(now, timeoutMs, 'timeout');
  const leave = () => now('signal');
  signal.addEventListener('abort', leave, { once: true });
  return {
    why: () => ended,
    now,
    outcome: () => {
      if (ended === 'signal') return { kind: 'cancelled' };
      return ended === 'timeout' ? { kind: 'timed_out' } : undefined;
    },
    forget: () => {
      clearTimeout(timer);
      clearTimeout(cut);
      signal.removeEventListener('abort', leave);
    },
  };
};

/** A server that hangs is not waited for. */
export const closed = async (client: pg.Client): Promise<void> => {
  const cut = setTimeout(() => streamOf(client).destroy(), CANCEL_MS);
  await client.end().catch(() => {});
  clearTimeout(cut);
};
