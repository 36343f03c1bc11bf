import { setTimeout as sleep } from 'node:timers/promises';
import type { BatcherOptions, Entry } from './batcher-options.ts';

/** Flushes a group until all of it is settled: again while the fault is transient, each alone if one may be at fault. */
export const openFlushing = <I, O>(
  { flush, retry, splitFailed, onError }: BatcherOptions<I, O>,
  settle: (group: Entry<I, O>[], error?: unknown, answers?: O[]) => void,
) => {
  let abandoned = false;

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

  return {
    flushGroup,
    /** From now on each group is tried once. */
    abandon: (): void => {
      abandoned = true;
    },
  };
};
