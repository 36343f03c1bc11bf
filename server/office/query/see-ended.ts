import { setTimeout as sleep } from 'node:timers/promises';
import { againAfter, lingersAs, pollAfter } from './next-look.ts';
import type { OwnServer, Reader, ReadOutcome, ReadRequest } from './reader.ts';

/** How long a statement may go on after its end was told, before it is ended by force or counts as still running. */
const GRACE_MS = 5_000;
/** How long the end by force of a process may take to be seen. */
const FORCED_MS = 10_000;
/** The usual statement is answered by then; what works on leaves the processor to others. */
const QUICK_MS = 300;

interface Place {
  database: string;
  backend: string;
}

/** A statement that goes on although its end was told. */
export interface Lingering extends Place {
  since: Date;
  /** Resolves once the database says that it is over. */
  gone: Promise<void>;
}

export interface WatchedStatement {
  /** Of the program's own server: this one's end by force ended everybody's statements there. */
  onKilled: () => Promise<void>;
  /** Resolves once it is written down. */
  onLingering: (lingering: Lingering) => Promise<void>;
}

export interface SeeEndedOptions {
  graceMs?: number | undefined;
  /** Ends watching, at the end of this process. */
  signal: AbortSignal;
}

/** Asks until it is gone; false if it is not within that time. Who can't be asked has not said that it is gone. */
const isGone = async (
  isThere: () => Promise<boolean>,
  { withinMs, signal }: { withinMs: number; signal: AbortSignal },
): Promise<boolean> => {
  const until = performance.now() + withinMs;
  for (let pollMs: number | undefined; !signal.aborted; ) {
    if (!(await isThere().catch(() => true))) return true;
    const leftMs = until - performance.now();
    if (leftMs <= 0) return false;
    pollMs = pollAfter(pollMs, leftMs);
    await sleep(pollMs, undefined, { signal }).catch(() => {});
  }
  return false;
};

/** Resolves once the database has said that it is over, however long that takes; never if this process ends before. */
export const waitUntilGone = (isThere: () => Promise<boolean>, { signal }: SeeEndedOptions): Promise<void> =>
  new Promise((resolve) => {
    void isGone(isThere, { withinMs: Number.POSITIVE_INFINITY, signal }).then((gone) => gone && resolve());
  });

/** Reads, and puts what works on behind others at the processor. */
const readBehind = async <T extends Pick<ReadRequest, 'onBackend'>>(
  read: (request: T) => Promise<ReadOutcome>,
  request: T,
  own: OwnServer | undefined,
): Promise<ReadOutcome> => {
  let late: NodeJS.Timeout | undefined;
  // Told of its backend too.
  const onBackend = async (backend: string) => {
    late = setTimeout(() => own?.putBehind(backend).catch(() => {}), QUICK_MS);
    await request.onBackend?.(backend);
  };
  try {
    return await read({ ...request, onBackend });
  } finally {
    clearTimeout(late);
  }
};

/**
 * A reader whose statements have ended when it says so. On a server of our own those that go on are ended by force, and
 * those of others that ended with them are run again within their own time, at least once.
 */
export const seeEnded = (
  reader: Reader,
  own: OwnServer | undefined,
  options: SeeEndedOptions & WatchedStatement,
): Reader => {
  const { graceMs = GRACE_MS, signal, onKilled, onLingering } = options;

  const settle = async (
    { cut, ...outcome }: ReadOutcome,
    { database, since }: { database: string; since: Date },
  ): Promise<ReadOutcome> => {
    if (cut === undefined) return outcome;
    const place = { database, backend: cut };
    const isThere = () => (own ? own.isThere(cut) : reader.isAtWork(place));
    if (await isGone(isThere, { withinMs: graceMs, signal })) return outcome;
    // A server of our own ends with this process.
    if (own && signal.aborted) return { kind: 'lingering', since, as: 'failed' };
    if (own && (await own.kill(cut).catch(() => false))) {
      await onKilled();
      await own.ready();
    }
    if (own && (await isGone(isThere, { withinMs: FORCED_MS, signal }))) return outcome;
    // At the end of this process too: whoever starts after it finds what is written down.
    await onLingering({ ...place, since, gone: waitUntilGone(isThere, options) });
    // What it has told is told; everything else is not over.
    if (outcome.kind === 'done') return outcome;
    return { kind: 'lingering', since, as: lingersAs(outcome) };
  };

  const seen =
    <T extends Pick<ReadRequest, 'onBackend' | 'signal' | 'timeoutMs'> & { database?: string }>(
      read: (request: T) => Promise<ReadOutcome>,
    ) =>
    async (request: T): Promise<ReadOutcome> => {
      const once = async () => {
        const since = new Date();
        return settle(await readBehind(read, request, own), { database: request.database ?? '', since });
      };
      const begun = performance.now();
      let outcome = await once();
      for (let runs = 1; own && !request.signal.aborted; runs += 1) {
        const { timeoutMs } = request;
        const pauseMs = againAfter(outcome, { runs, elapsedMs: performance.now() - begun, timeoutMs });
        if (pauseMs === undefined) break;
        await sleep(pauseMs);
        await own.ready();
        outcome = { ...(await once()), again: true };
      }
      return outcome;
    };

  return {
    ...reader,
    read: seen(reader.read),
    listDatabases: seen(reader.listDatabases),
    listColumns: seen(reader.listColumns),
  };
};
