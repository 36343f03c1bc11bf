import type { SmppMessage } from './codec/message-reader.ts';
import type { MessageFields } from './codec/pdu-writer.ts';
import { asksToSlowDown, STATUS } from './codec/statuses.ts';
import { nextAttempt } from './next-attempt.ts';
import { openSmppPace } from './pace.ts';
import { openSession, type Session } from './session/session.ts';
import type { Settle } from './session/submits.ts';
import type { SmppOptions } from './smpp-options.ts';

export interface BindEvents {
  /** It came up or went down. */
  changed: (reason: string) => void;
  room: () => void;
  overdue: () => void;
  deliver: (message: SmppMessage) => Promise<void>;
}

/** A connection that is reopened whenever it is lost. */
export interface Bind {
  /** Resolves after the first attempt, successful or not; further attempts follow automatically. */
  open: () => Promise<void>;
  isUp: () => boolean;
  inFlight: () => number;
  overdue: Session['overdue'];
  room: () => number;
  submit: (fields: MessageFields, settle: Settle) => void;
  query: Session['query'];
  close: (timeoutMs: number) => Promise<void>;
}

/**
 * A bind has a session, waits before the next attempt (`nextAttempt` says how long), or is closed for good. Remembered: how
 * many attempts in a row failed, and the pace that the message centre allows, which outlives a session.
 */
export const keepBound = (options: SmppOptions, events: BindEvents): Bind => {
  const pace = openSmppPace(options.window);
  let session: Session | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;
  let failures = 0;

  const isUp = (): boolean => session?.isBound() ?? false;

  const answered = (status: number) => {
    if (status !== STATUS.ok && !asksToSlowDown(status)) return;
    const pauseMs = pace.answered(status === STATUS.ok ? 'taken' : 'slow down');
    if (pauseMs !== undefined) setTimeout(events.room, pauseMs + 1).unref();
  };

  const begin = (tried: () => void): void => {
    let boundAt: number | undefined;
    session = openSession(options, {
      bound: () => {
        boundAt = performance.now();
        events.changed('bound');
        tried();
        events.room();
      },
      answered,
      room: events.room,
      overdue: events.overdue,
      deliver: events.deliver,
      over: (reason) => {
        session = undefined;
        if (!closed) {
          const stoodMs = boundAt === undefined ? 0 : performance.now() - boundAt;
          const { waitMs, ...next } = nextAttempt({ failures, stoodMs }, options.reconnect);
          failures = next.failures;
          retry = setTimeout(() => begin(() => {}), waitMs);
        }
        events.changed(reason);
        tried();
      },
    });
  };

  return {
    open: () => new Promise<void>((resolve) => begin(resolve)),
    isUp,
    inFlight: () => session?.inFlight() ?? 0,
    overdue: () => session?.overdue() ?? 0,
    room: () => (session?.isBound() ? pace.room(session.inFlight()) : 0),
    submit: (fields, settle) => {
      if (session) session.submit(fields, settle);
      else
        settle({
          outcome: 'refused',
          code: 'NOT_CONNECTED',
          reason: 'There is no connection.',
          retryable: true,
        });
    },
    query: async (messageId, source) =>
      session ? session.query(messageId, source) : 'There is no connection to the message centre.',
    close: async (timeoutMs) => {
      closed = true;
      clearTimeout(retry);
      await session?.unbind(timeoutMs);
    },
  };
};
