import { setTimeout as sleep } from 'node:timers/promises';
import { openHalves } from './alternate-halves.ts';

export interface BatcherOptions<I, O = void> {
  /**
   * Takes items in the order in which they were added. It resolves with an answer for each, in that order, or with
   * nothing. With `retry` or `splitFailed` it must do all or nothing, since it is called again with the same items.
   */
  flush: (items: I[]) => Promise<O[]> | Promise<void>;
  /** The most items of one flush. */
  maxItems: number;
  /** Bounds the sum of sizes in one flush; a single item may be larger. */
  size?: { of: (item: I) => number; max: number };
  /** How long items wait for others before a flush that is not full. Without it they do not wait. */
  maxDelayMs?: number;
  /**
   * For callers who ask again as soon as they are answered: see `openHalves`. The delay then counts from the end of
   * the last flush, and ends when half of the callers are back.
   */
  alternateHalves?: boolean;
  /** Bounds memory: when too many wait, the oldest are dropped, many at once because moving up the rest is costly. */
  overflow?: { maxWaiting: number; dropItems: number; onDrop: (count: number) => void };
  /** Calls a failed flush again and again, as while the database is away. */
  retry?: { isTransient: (error: unknown) => boolean; delayMs: number };
  /**
   * Whether one of the items may be at fault for this error: then each is flushed alone, so that the others do not
   * suffer for it. Not for a database that is away: each would wait for it in turn.
   */
  splitFailed?: (error: unknown) => boolean;
  /** For the log: callers learn by their own answer that a flush failed. */
  onError?: (error: unknown) => void;
}

/** Is called once: with an error if the item could not be flushed, else with its answer if there is one. */
type Settled<I, O = void> = (item: I, error?: unknown, answer?: O) => void;

export interface Batcher<I, O = void> {
  /** Resolves once the item is flushed, rejects if it can't be. */
  add: (item: I) => Promise<O>;
  /** The same by a callback, which many items may share: a promise for each costs more. */
  put: (item: I, settled?: Settled<I, O>) => void;
  /** Flushes without delay; resolves once every item is settled. */
  drain: () => Promise<void>;
  /** Gives up what can't be flushed at the first try: for a process that must end. */
  abandon: () => void;
}

interface Entry<I, O> {
  item: I;
  settled: Settled<I, O> | undefined;
}

/**
 * Gathers items so that one flush carries many. One flush is in flight at most, and what is added meanwhile forms the
 * next, so items are flushed in their order, and under load flushes grow by themselves. The next flush begins before
 * the items of the last one are settled, so that settling overlaps with it.
 */
export const openBatcher = <I, O = void>(options: BatcherOptions<I, O>): Batcher<I, O> => {
  const { flush, maxItems, size, maxDelayMs = 0, overflow, retry, splitFailed, onError } = options;
  const halves = options.alternateHalves ? openHalves(maxDelayMs) : undefined;
  const waiting: Entry<I, O>[] = [];
  let unsettled = 0;
  let flushing = false;
  let timer: NodeJS.Timeout | undefined;
  let draining: PromiseWithResolvers<void> | undefined;
  let abandoned = false;

  const takeGroup = (): Entry<I, O>[] => {
    let count = Math.min(waiting.length, maxItems, halves?.maxItems() ?? maxItems);
    if (size) {
      let sum = 0;
      const end = waiting.findIndex(({ item }, at) => {
        sum += size.of(item);
        return at === count || (at > 0 && sum > size.max);
      });
      if (end !== -1) count = end;
    }
    return waiting.splice(0, count);
  };

  /** Not before the next flush is on its way; always later than those settled before. */
  const settle = (group: Entry<I, O>[], error?: unknown, answers?: O[]): void => {
    setImmediate(() => {
      let at = -1;
      for (const { item, settled } of group)
        try {
          at += 1;
          settled?.(item, error, answers?.[at]);
        } catch (fault) {
          // The fault of one caller must not keep the others waiting.
          onError?.(fault);
        }
      unsettled -= group.length;
      if (unsettled > 0) return;
      draining?.resolve();
      draining = undefined;
    });
  };

  const flushGroup = async (group: Entry<I, O>[]): Promise<void> => {
    const items = group.map(({ item }) => item);
    for (;;)
      try {
        const answers = await flush(items);
        return settle(group, undefined, answers ?? undefined);
      } catch (error) {
        if (abandoned || !retry?.isTransient(error)) return handleFailure(group, error);
        onError?.(error);
        await sleep(retry.delayMs);
      }
  };

  const handleFailure = async (group: Entry<I, O>[], error: unknown): Promise<void> => {
    if (group.length > 1 && !abandoned && splitFailed?.(error)) {
      for (const entry of group) await flushGroup([entry]);
      return;
    }
    onError?.(error);
    settle(group, error ?? new Error('the flush failed'));
  };

  const run = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    flushing = true;
    const group = takeGroup();
    await flushGroup(group);
    flushing = false;
    halves?.flushed(group.length + waiting.length);
    schedule();
  };

  const schedule = (): void => {
    if (flushing || waiting.length === 0) return;
    const urgent = draining || (!halves && waiting.length >= maxItems);
    const delayMs = urgent ? 0 : (halves?.delayMs(waiting.length) ?? maxDelayMs);
    if (delayMs <= 0) void run();
    else timer ??= setTimeout(run, delayMs);
  };

  const dropOldest = ({ dropItems, onDrop }: NonNullable<typeof overflow>): void => {
    const dropped = waiting.splice(0, dropItems);
    settle(dropped, new Error('dropped: too many items wait for a flush'));
    onDrop(dropped.length);
  };

  const put: Batcher<I, O>['put'] = (item, settled) => {
    if (overflow && waiting.length >= overflow.maxWaiting) dropOldest(overflow);
    unsettled += 1;
    waiting.push({ item, settled });
    schedule();
  };

  return {
    put,
    add: (item) =>
      new Promise((resolve, reject) =>
        put(item, (_, error, answer) => (error === undefined ? resolve(answer as O) : reject(error))),
      ),
    drain: async () => {
      if (unsettled === 0) return;
      draining ??= Promise.withResolvers();
      schedule();
      await draining.promise;
    },
    abandon: () => {
      abandoned = true;
    },
  };
};
