import type { MailTransaction } from './letter.ts';
import { nextAttempt } from './next-attempt.ts';
import type { RelayOptions } from './relay-options.ts';
import { openSession, type Session } from './session/session.ts';

interface PoolEvents {
  next: () => MailTransaction | undefined;
  back: (letter: MailTransaction, reason: string) => void;
  /** It came up or went down, or there is a new reason for being down. */
  changed: (reason: string) => void;
  hasWork: () => boolean;
}

interface Pool {
  /** Resolves after the first attempt, successful or not; further attempts follow automatically. */
  open: () => Promise<void>;
  /** Whether the last report of a connection was good. */
  isUp: () => boolean;
  /** Something waits: an idle connection takes it, or another one is opened. */
  wake: () => void;
  close: () => Promise<void>;
}

interface Slot {
  start: (tried?: () => void) => void;
  isGood: () => boolean;
  isStarting: () => boolean;
  /** It has no connection and waits for nothing. */
  isFree: () => boolean;
  session: () => Session | undefined;
  close: () => Promise<void>;
}

/**
 * The slot of one connection, which is reopened whenever it is lost: immediately if it `stays`, otherwise when needed. It
 * is free, has a session, waits before the next attempt (`nextAttempt` says how long), or is closed for good. Remembered:
 * how many attempts in a row failed, and whether the last report of the connection was good.
 */
const openSlot = (
  options: RelayOptions,
  stays: boolean,
  events: PoolEvents & { ready: () => void },
): Slot => {
  let session: Session | undefined;
  let retry: NodeJS.Timeout | undefined;
  let failures = 0;
  let good = false;
  let closed: (() => void) | undefined;

  const start = (tried: () => void = () => {}): void => {
    if (session || retry || closed) return;
    let readyAt: number | undefined;
    session = openSession(
      options,
      { stays },
      {
        ready: () => {
          readyAt = performance.now();
          good = true;
          events.changed('connected');
          tried();
          events.ready();
        },
        next: events.next,
        back: events.back,
        over: (reason, planned) => {
          session = undefined;
          good = planned && stays;
          closed?.();
          if (closed) return;
          const stoodMs = readyAt === undefined ? 0 : performance.now() - readyAt;
          const { waitMs, ...next } = nextAttempt({ failures, planned, stoodMs }, options.reconnect);
          failures = next.failures;
          retry = setTimeout(() => {
            retry = undefined;
            if (stays || events.hasWork()) start();
          }, waitMs);
          events.changed(reason);
          tried();
        },
      },
    );
  };

  return {
    start,
    isGood: () => good,
    isStarting: () => session !== undefined && !session.isReady(),
    isFree: () => !session && !retry,
    session: () => session,
    close: () => {
      clearTimeout(retry);
      return new Promise((resolve) => {
        closed = resolve;
        if (session) session.quit();
        else resolve();
      });
    },
  };
};

/** As many connections as are needed, up to the limit; the first one stays. */
export const openPool = (options: RelayOptions, events: PoolEvents): Pool => {
  /** One at a time: a server that can't be reached does not get many attempts together. */
  const grow = () => {
    if (!events.hasWork() || slots.some((slot) => slot.isStarting())) return;
    slots.find((slot) => slot.isFree())?.start();
  };
  const slots = Array.from({ length: options.connections }, (_, at) =>
    openSlot(options, at === 0, { ...events, ready: () => setImmediate(grow) }),
  );
  return {
    open: () => new Promise((resolve) => slots[0]?.start(resolve)),
    isUp: () => slots.some((slot) => slot.isGood()),
    wake: () => {
      for (const slot of slots) {
        if (!events.hasWork()) return;
        slot.session()?.wake();
      }
      grow();
    },
    close: async () => {
      await Promise.all(slots.map((slot) => slot.close()));
    },
  };
};
