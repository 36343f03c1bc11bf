import { setTimeout as sleep } from 'node:timers/promises';

export interface CoalesceOptions<T> {
  /** Writes them all or none, in their order, and may be called again with the same. */
  write: (items: T[]) => Promise<void>;
  /** Whether another try may help, as when the database is away. */
  isPassing: (error: unknown) => boolean;
  onError: (error: unknown) => void;
  maxItems: number;
  maxWaitMs: number;
}

export interface Coalesced<T> {
  /** Calls back once it is written, or with an error if it can't be. */
  put: (item: T, settled: (item: T, error?: unknown) => void) => void;
  /** Resolves once it is written, rejects if it can't be. */
  add: (item: T) => Promise<void>;
  /** Resolves once nothing waits. */
  drain: () => Promise<void>;
  /** Gives up what can't be written: for a process that must end. */
  abandon: () => void;
}

const RETRY_MS = 200;

interface Entry<T> {
  item: T;
  settled: (item: T, error?: unknown) => void;
}

/**
 * Gathers writes so that one commit carries many: one is under way at most, and what arrives meanwhile forms
 * the next. So the order of the items is the order in which they are written.
 */
export const coalesce = <T>(options: CoalesceOptions<T>): Coalesced<T> => {
  const { write, isPassing, onError, maxItems, maxWaitMs } = options;
  let entries: Entry<T>[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let abandoned = false;

  const writePersistently = async (items: T[]): Promise<void> => {
    for (;;)
      try {
        return await write(items);
      } catch (error) {
        if (abandoned || !isPassing(error)) throw error;
        onError(error);
        await sleep(RETRY_MS);
      }
  };

  /** Nobody's fault may keep the others waiting. */
  const settle = ({ item, settled }: Entry<T>, error?: unknown): void => {
    try {
      settled(item, error);
    } catch (fault) {
      onError(fault);
    }
  };

  const writeChunk = async (chunk: Entry<T>[]): Promise<void> => {
    try {
      await writePersistently(chunk.map(({ item }) => item));
    } catch (error) {
      if (chunk.length > 1 && !abandoned) {
        // One of them is at fault; the others must not suffer for it.
        for (const entry of chunk) await writeChunk([entry]);
        return;
      }
      onError(error);
      for (const entry of chunk) settle(entry, error);
      return;
    }
    for (const entry of chunk) settle(entry);
  };

  const writeAll = async (): Promise<void> => {
    while (entries.length > 0) {
      const chunk = entries.slice(0, maxItems);
      entries = entries.slice(maxItems);
      await writeChunk(chunk);
      if (entries.length < maxItems) break;
    }
    writing = undefined;
    if (entries.length > 0) schedule();
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeAll();
  };
  const schedule = (): void => {
    if (writing) return;
    if (entries.length >= maxItems) flush();
    else timer ??= setTimeout(flush, maxWaitMs);
  };

  const put: Coalesced<T>['put'] = (item, settled) => {
    entries.push({ item, settled });
    schedule();
  };
  return {
    put,
    add: (item) =>
      new Promise((done, fail) => put(item, (_, error) => (error === undefined ? done() : fail(error)))),
    drain: async () => {
      while (entries.length > 0 || writing) {
        flush();
        await writing;
      }
    },
    abandon: () => {
      abandoned = true;
    },
  };
};
