import { DomainError } from '../domain-error.ts';

interface ConcurrencyLimitOptions {
  /** A caller that has waited for this long is refused; without it, callers wait as long as it takes. */
  maxWaitMs?: number;
  /** How many of one key may run at the same time; otherwise half of all, so that there is room for others. */
  maxPerKey?: number;
  /** How many may wait; further ones are refused. */
  maxWaiting?: number;
  /** How many of one key may wait. */
  maxWaitingPerKey?: number;
}

interface Turn {
  /** If this is aborted while waiting for a slot, the slot goes to the next caller. */
  signal?: AbortSignal;
  /**
   * Whose work it is, such as an account or an address: keys take turns, however many wait for each. Without one it is
   * the program's own, which may use all slots.
   */
  key?: string;
}

/**
 * Runs up to this many pieces of work at the same time. The others wait for a slot: keys take turns, and within a key
 * the first to come is the first to be served.
 */
export const openConcurrencyLimit = (maxConcurrent: number, options: ConcurrencyLimitOptions = {}) => {
  const { maxWaitMs, maxPerKey = Math.max(1, Math.floor(maxConcurrent / 2)) } = options;
  const { maxWaiting = Number.POSITIVE_INFINITY, maxWaitingPerKey = maxWaiting } = options;
  let free = maxConcurrent;
  const running = new Map<string, number>();
  /** Keys in the order of their turns. */
  const waiting = new Map<string, Set<() => void>>();
  let waitingCount = 0;

  const isRoomFor = (key: string): boolean => free > 0 && (key === '' || (running.get(key) ?? 0) < maxPerKey);
  const start = (key: string): void => {
    free -= 1;
    running.set(key, (running.get(key) ?? 0) + 1);
  };
  const leaveQueue = (key: string, admit: () => void): void => {
    const queue = waiting.get(key);
    if (!queue?.delete(admit)) return;
    waitingCount -= 1;
    if (queue.size === 0) waiting.delete(key);
  };
  const passOn = (): void => {
    for (const [key, queue] of waiting) {
      if (!isRoomFor(key)) continue;
      const [admit] = queue;
      if (!admit) continue;
      leaveQueue(key, admit);
      // Moves the key to the end, until its next turn.
      if (waiting.delete(key)) waiting.set(key, queue);
      start(key);
      admit();
      return;
    }
  };
  const finish = (key: string): void => {
    free += 1;
    const left = (running.get(key) ?? 1) - 1;
    if (left === 0) running.delete(key);
    else running.set(key, left);
    passOn();
  };

  const slot = (key: string, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (reason: unknown) => {
        leaveQueue(key, admit);
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
      const admit = () => {
        settle();
        resolve();
      };
      const queue = waiting.get(key) ?? new Set();
      waiting.set(key, queue.add(admit));
      waitingCount += 1;
      signal?.addEventListener('abort', onAbort);
    });

  return async <T>(work: () => Promise<T>, { signal, key = '' }: Turn = {}): Promise<T> => {
    signal?.throwIfAborted();
    if (isRoomFor(key)) start(key);
    else {
      if (waitingCount >= maxWaiting || (waiting.get(key)?.size ?? 0) >= maxWaitingPerKey)
        throw new DomainError('E_UNAVAILABLE');
      await slot(key, signal);
    }
    try {
      return await work();
    } finally {
      finish(key);
    }
  };
};
