import { DomainError } from '../../ground/domain-error.ts';
import { openQuota } from '../../ground/limits/index.ts';

/** Connections to a zone at one moment, of all and of one asker: its database has others to serve. */
const CONNECTIONS = { total: 16, perKey: 8 };
/** As long as a statement may run that has the place. */
const WAIT_MS = 15_000;
const WAITING_OF_ONE = 20;

interface Waiter {
  key: string;
  count: number;
  signal: AbortSignal;
}

/** Takes what a zone has of connections. Who finds none waits for a while, the first to come before the others. */
export const openZonePlaces = ({ total, perKey } = CONNECTIONS, waitMs = WAIT_MS) => {
  const take = openQuota({ total, perKey });
  const waiting = new Set<{ key: string; admit: () => void }>();

  const now = (key: string, count = 1): (() => void) => {
    const giveBack = take(key, count);
    return () => {
      giveBack();
      for (const { admit } of [...waiting]) admit();
    };
  };
  const attempt = (key: string, count: number): (() => void) | undefined => {
    try {
      return now(key, count);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return undefined;
    }
  };

  return {
    /** At once, or not at all. */
    now,
    /** Rejects if none is free in time, or nobody waits any more. */
    take: async ({ key, count, signal }: Waiter): Promise<() => void> => {
      const taken = attempt(key, count);
      if (taken) return taken;
      if ([...waiting].filter((one) => one.key === key).length >= WAITING_OF_ONE)
        throw new DomainError('E_UNAVAILABLE');
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const waiter = {
        key,
        admit: () => {
          const place = attempt(key, count);
          if (!place) return;
          waiting.delete(waiter);
          resolve(place);
        },
      };
      waiting.add(waiter);
      const leave = () => reject(new DomainError('E_UNAVAILABLE'));
      const late = setTimeout(leave, waitMs);
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
      try {
        return await promise;
      } finally {
        waiting.delete(waiter);
        clearTimeout(late);
        signal.removeEventListener('abort', leave);
      }
    },
  };
};

export type ZonePlaces = ReturnType<typeof openZonePlaces>;
