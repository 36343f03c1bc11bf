import { DomainError } from '../domain-error.ts';

interface ConcurrencyLimitOptions {
  /** A caller that has waited for this long is refused; without it, callers wait as long as it takes. */
  maxWaitMs?: number;
}

/** Runs up to this many pieces of work at the same time; the others wait for a slot, unless their signal is aborted. */
export const openConcurrencyLimit = (maxConcurrent: number, { maxWaitMs }: ConcurrencyLimitOptions = {}) => {
  let free = maxConcurrent;
  const waiting = new Set<() => void>();
  const slot = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (reason: unknown) => {
        waiting.delete(come);
        settle();
        reject(reason);
      };
      const onAbort = () => leave(signal?.reason);
      const timer =
        maxWaitMs === undefined
          ? undefined
          : setTimeout(() => leave(new DomainError('E_UNAVAILABLE')), maxWaitMs);
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const come = () => {
        settle();
        resolve();
      };
      waiting.add(come);
      signal?.addEventListener('abort', onAbort);
    });
  return async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted();
    if (free > 0) free -= 1;
    else await slot(signal);
    try {
      return await work();
    } finally {
      // The slot passes on without becoming free in between.
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else free += 1;
    }
  };
};
