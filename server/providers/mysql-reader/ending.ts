import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mysql2';
import type { ReaderOptions, ReadOutcome, ReadRequest } from '../../office/query/reader.ts';
import { CONNECT_MS, closeAtOnce, connected, connectionFor, queryRows, socketOf } from './connection.ts';

/** How long a killed statement may take to end before its connection is cut. */
const CANCEL_MS = 500;
/** Of a kill: a server that is busy may refuse a connection, and a cut one does not end a statement here. */
const KILL_TRIES = 5;

const kill = async (options: ReaderOptions, threadId: number): Promise<void> => {
  const other = connectionFor(options, undefined);
  const cut = setTimeout(() => socketOf(other).destroy(), CONNECT_MS);
  try {
    await connected(other);
    await queryRows(other, `kill query ${threadId}`);
  } finally {
    clearTimeout(cut);
    closeAtOnce(other);
  }
};

/** Tried again at once, then after a moment that grows; then the server's own limit has to do. */
const killSurely = async (options: ReaderOptions, threadId: number): Promise<void> => {
  for (let tried = 0; tried < KILL_TRIES; tried += 1) {
    await sleep(tried > 1 ? 50 * 2 ** tried : 0);
    const done = await kill(options, threadId).then(
      () => true,
      () => false,
    );
    if (done) return;
  }
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
  connection: Connection,
  { timeoutMs, signal }: Pick<ReadRequest, 'timeoutMs' | 'signal'>,
): Ending => {
  let ended: Why | undefined;
  let cut: NodeJS.Timeout | undefined;
  const now = (why: Why): void => {
    if (ended) return;
    ended = why;
    // None before the server has let us in: then there is nothing to kill.
    const threadId = connection.threadId as number | null;
    if (threadId !== null) void killSurely(options, threadId);
    if (why === 'full' || threadId === null) socketOf(connection).destroy();
    else cut = setTimeout(() => socketOf(connection).destroy(), CANCEL_MS);
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
