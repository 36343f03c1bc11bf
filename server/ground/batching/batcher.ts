import { openHalves } from './alternate-halves.ts';
import type { BatcherOptions, Entry, Settled } from './batcher-options.ts';
import { openFlushing } from './flushing.ts';

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

/** How many of those that wait go together: at most so many, and no more than their sizes allow. */
const groupLength = <I, O>(
  waiting: Entry<I, O>[],
  most: number,
  size: BatcherOptions<I, O>['size'],
): number => {
  const count = Math.min(waiting.length, most);
  if (!size) return count;
  let sum = 0;
  const end = waiting.findIndex(({ item }, at) => {
    sum += size.of(item);
    return at === count || (at > 0 && sum > size.max);
  });
  return end === -1 ? count : end;
};

/** Tells each its own answer, or the error of all. */
const tellEach = <I, O>(
  group: Entry<I, O>[],
  onError: BatcherOptions<I, O>['onError'],
  error?: unknown,
  answers?: O[],
): void => {
  let at = -1;
  for (const { item, settled } of group)
    try {
      at += 1;
      settled?.(item, error, answers?.[at]);
    } catch (fault) {
      // The fault of one caller must not keep the others waiting.
      onError?.(fault);
    }
};

/**
 * Gathers items so that one flush carries many. One flush is in flight at most, and what is added meanwhile forms the
 * next, so items are flushed in their order, and under load flushes grow by themselves. The next flush begins before
 * the items of the last one are settled, so that settling overlaps with it.
 */
export const openBatcher = <I, O = void>(options: BatcherOptions<I, O>): Batcher<I, O> => {
  const { maxItems, size, maxDelayMs = 0, overflow, onError } = options;
  const halves = options.alternateHalves ? openHalves(maxDelayMs) : undefined;
  const waiting: Entry<I, O>[] = [];
  let unsettled = 0;
  let flushing = false;
  let timer: NodeJS.Timeout | undefined;
  let draining: PromiseWithResolvers<void> | undefined;

  /** Not before the next flush is on its way; always later than those settled before. */
  const settle = (group: Entry<I, O>[], error?: unknown, answers?: O[]): void => {
    setImmediate(() => {
      tellEach(group, onError, error, answers);
      unsettled -= group.length;
      if (unsettled > 0) return;
      draining?.resolve();
      draining = undefined;
    });
  };
  const { flushGroup, abandon } = openFlushing(options, settle);

  const run = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    flushing = true;
    const most = Math.min(maxItems, halves?.maxItems() ?? maxItems);
    const group = waiting.splice(0, groupLength(waiting, most, size));
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
    abandon,
  };
};
